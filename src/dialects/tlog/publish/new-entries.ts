import { hash } from 'node:crypto';
import { formatTime } from '../../../codecs/primitives/time.ts';
import { encodeEntry, hashCheckedList } from '../../../codecs/tlog/encode-entry.ts';
import { LOG_FORMAT, type LogEntry } from '../../../codecs/tlog/entry.ts';
import type { Change } from '../../../model/change.ts';
import { sourceIdOf } from '../../../model/source.ts';
import { changeEntryBytes, lineOfEarlier } from '../../../tlog/entry-of-change.ts';
import { fileDigest } from '../../../tlog/file-digest.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { GrownSite } from '../../projection.ts';

/** The first entry of a log. It commits to all changes before it. */
export function firstEntry(origin: string, before: readonly Change[], nowMs: number): Uint8Array {
  const earlier = `sha256:${hash('sha256', before.map(lineOfEarlier).join(''))}`;
  const time = formatTime(nowMs);
  return encode({ v: 1, type: 'begin', origin, time, format: LOG_FORMAT, count: before.length, earlier });
}

export interface NewEntries {
  readonly entries: readonly Uint8Array[];
  /** SHA-256 in hex of each published file, after these entries. */
  readonly files: ReadonlyMap<string, string>;
}

export interface PublishedNow extends Pick<GrownSite, 'files' | 'paths' | 'isRead' | 'unread' | 'nowMs'> {
  readonly site: URL;
  /** The `seq` of the last change. */
  readonly lastSeq: number;
  /** The digests that the log has so far. */
  readonly known: ReadonlyMap<string, string>;
}

/**
 * What a publish adds: each change, then each file that is new or changed. A publish that read every page and found nothing new
 * adds an entry for that, so that silence is proven, too.
 */
export function newEntries(added: readonly Change[], now: PublishedNow): NewEntries {
  const { files, paths, known, lastSeq } = now;
  const served = new Set([...paths, ...files.map(({ path }) => path)]);
  const digests = new Map([...known].filter(([path]) => served.has(path)));
  const artifacts: Uint8Array[] = [];
  for (const { path, bytes } of files) {
    const digest = fileDigest(bytes);
    if (digests.get(path) === digest) continue;
    digests.set(path, digest);
    artifacts.push(encode({ v: 1, type: 'artifact', path, sha256: digest, bytes: bytes.length, after: lastSeq }));
  }
  const isSilent = added.length === 0 && now.isRead && now.unread === 0;
  const entries = [...added.map(changeEntryBytes), ...artifacts, ...(isSilent ? [checkedEntry(now)] : [])];
  return { entries, files: digests };
}

function checkedEntry({ site, nowMs, lastSeq }: PublishedNow): Uint8Array {
  const time = formatTime(nowMs);
  const list = hashCheckedList([{ source: sourceIdOf(site), time }], sha256);
  return encode({ v: 1, type: 'checked', time, since: time, count: 1, list, after: lastSeq });
}

function encode(entry: LogEntry): Uint8Array {
  return encodeEntry(entry, sha256);
}
