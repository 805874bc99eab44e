import { encodeHex } from '../../../codecs/primitives/hex.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import { encodeCheckedList, encodeEntry, redactedEntries } from '../../../codecs/tlog/encode-entry.ts';
import { LOG_FORMAT } from '../../../codecs/tlog/entry.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { TextRedaction } from '../../shelf.ts';
import type { EarlierChanges } from './earlier-changes.ts';

/** A source that was checked. */
export interface CheckedAt {
  readonly source: string;
  readonly atMs: number;
}

export interface Beginning {
  readonly origin: string;
  readonly atMs: number;
  readonly earlier: EarlierChanges;
  /** The last checkpoint of the previous log, which belonged to a hub that was lost. */
  readonly previous?: string;
}

export function beginEntry({ origin, atMs, earlier, previous }: Beginning): Uint8Array {
  const { count, hash } = earlier;
  return encodeEntry(
    {
      ...{ v: 1, type: 'begin', format: LOG_FORMAT, origin, time: formatTime(atMs), count, earlier: `sha256:${hash}` },
      ...(previous !== undefined && { previous }),
    },
    sha256,
  );
}

export interface HashedDocument {
  readonly path: string;
  readonly hash: Uint8Array;
  readonly bytes: number;
  /** How far the log had been turned into documents when it was read. */
  readonly after: number;
}

export function artifactEntry({ path, hash, bytes, after }: HashedDocument): Uint8Array {
  return encodeEntry({ v: 1, type: 'artifact', path, sha256: encodeHex(hash), bytes, after }, sha256);
}

/** The entry for checks without news, and the list that the entry has the hash of. */
export function checkedEntry(
  sources: readonly CheckedAt[],
  after: number,
): { readonly entry: Uint8Array; readonly list: Uint8Array } {
  const times = sources.map(({ atMs }) => atMs);
  const list = Buffer.from(encodeCheckedList(sources.map(({ source, atMs }) => ({ source, time: formatTime(atMs) }))));
  const entry = encodeEntry(
    {
      ...{ v: 1, type: 'checked', count: sources.length, after, list: `sha256:${encodeHex(sha256(list))}` },
      since: formatTime(Math.min(...times)),
      time: formatTime(Math.max(...times)),
    },
    sha256,
  );
  return { entry, list };
}

export function redactionEntries({ id, fields }: TextRedaction, atMs: number): readonly Uint8Array[] {
  const entry = { v: 1, type: 'redacted', id, time: formatTime(atMs), fields, artifacts: [] } as const;
  return [...redactedEntries(entry)].map((each) => encodeEntry(each, sha256));
}
