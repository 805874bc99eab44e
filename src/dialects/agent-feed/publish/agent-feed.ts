import { didOf } from '../../../codecs/agent-feed/did-web.ts';
import { CARD_PATH, DID_PATH, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { stateContradictionError } from '../../../errors/state-refusals.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { Change } from '../../../model/change.ts';
import { ARCHIVE_PATH, deriveFiles } from '../surface/derive-files.ts';
import { servedFile } from '../surface/served-file.ts';
import { RECORD_PATH } from '../surface/surface-record.ts';
import type { SurfaceCopy, SurfaceFiles } from './surface-copy.ts';
import { countLostFacts } from './surface-drafts.ts';

export interface AgentFeedFiles {
  /** What agents read, in the order in which it is written: keys and snapshot first, the feed last. */
  readonly files: readonly Artifact[];
  /** The record that they are made from; empty where only they were found. */
  readonly record: readonly Artifact[];
}

/**
 * The surface of a site as files. Nothing is signed: of a record they are made as `tidings surface` makes them, merged into what
 * is there of did.json and agent-card.json; without one they are carried as they are.
 */
export function publishAgentFeed(
  { record, recordText = '', files }: SurfaceCopy,
  existing: Pick<SurfaceFiles, 'did' | 'card'>,
  site: URL,
): AgentFeedFiles {
  // Nothing can be merged without a record: a card that the author has built is the newer one.
  if (record === undefined) return { files: carriedFiles({ ...files, card: existing.card ?? files.card }), record: [] };
  const origin = new URL('/', site);
  const { artifacts } = deriveFiles(
    record,
    { origin, did: didOf(origin), isPrivate: false },
    { did: utf8Text(existing.did), card: utf8Text(existing.card) },
  );
  const file = { ...servedFile(`/${RECORD_PATH}`, Buffer.from(recordText)), mediaType: 'application/x-ndjson' };
  return { files: artifacts, record: [file] };
}

/** A log that tells of entries which no place has: then a folder or a file was lost, and the site would lose its feed. */
export function refuseLostFeed(changes: readonly Change[]): void {
  const count = countLostFacts(changes);
  if (count === 0) return;
  throw stateContradictionError(
    ['the log', RECORD_PATH],
    `the log tells of ${count} facts of an agent-feed, and neither its record nor the feed is in any place that was looked at.`,
    'Restore the record, or give --previous with the live site. A feed that is to end must be terminated, not removed; to go on without it, leave agent-feed out of --formats.',
  );
}

function carriedFiles(files: SurfaceFiles): Artifact[] {
  const found: [string, Uint8Array | undefined][] = [
    [DID_PATH, files.did],
    [CARD_PATH, files.card],
    [ARCHIVE_PATH, files.archive],
    [FEED_PATH, files.feed],
  ];
  return found.flatMap(([path, bytes]) => (bytes === undefined ? [] : [servedFile(path, bytes)]));
}

function utf8Text(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
