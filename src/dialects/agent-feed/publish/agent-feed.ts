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
  /** The files that agents read, in writing order: keys and snapshot first, the feed last. */
  readonly files: readonly Artifact[];
  /** The record that the files are made from. Empty if only the files were found. */
  readonly record: readonly Artifact[];
}

/**
 * The surface of a site as files. Nothing is signed here. With a record, the files are made as `tidings surface` makes them and
 * merged into the existing did.json and agent-card.json. Without one, they are copied unchanged.
 */
export function publishAgentFeed(
  { record, recordText = '', files }: SurfaceCopy,
  existing: Pick<SurfaceFiles, 'did' | 'card'>,
  site: URL,
): AgentFeedFiles {
  // Without a record nothing can be merged, so a card that the author has built is preferred as the newer one.
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

/** Throws if the log mentions entries that no place has: a folder or a file was lost, and the site would lose its feed. */
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
