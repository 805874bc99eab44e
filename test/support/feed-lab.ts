import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeEvent } from '../../src/codecs/aicf/encode.ts';
import { formatTime } from '../../src/codecs/primitives/time.ts';
import { type FeedGenerations, openFeedGenerations } from '../../src/dialects/aicf/shelf/feed-generations.ts';
import { ALL_FEED, type FeedVersion } from '../../src/dialects/aicf/shelf/feed-store.ts';
import type { DocumentBody } from '../../src/hub/http/answer-document.ts';
import { openFeedFolder } from '../../src/io/feeds/feed-folder.ts';
import type { LogStart } from '../../src/log/log-start.ts';
import type { Change } from '../../src/model/change.ts';

export const LAB_START_MS = Date.UTC(2026, 0, 1);

export interface FeedLab extends AsyncDisposable {
  readonly folder: string;
  readonly log: Change[];
  /** The number of changes read from the log. */
  readonly yielded: number;
  path(file: string): string;
  /** Commits one change for each of these sources. */
  commit(...sources: string[]): Change[];
  open(folder?: string): Promise<FeedGenerations>;
  /** Makes the log begin after that change. */
  cut(seq: number): void;
  /** The feed that follows from the log. */
  derived(name: string): string;
}

/** A log in memory, and a folder for its feeds. */
export async function createFeedLab(note = ''): Promise<FeedLab> {
  const root = await mkdtemp(join(tmpdir(), 'feeds-'));
  const folder = join(root, 'feeds');
  const log: Change[] = [];
  let yielded = 0;
  let start: LogStart | undefined;
  async function* readChanges(after: number) {
    for (const change of log.slice(Math.max(after, start?.seq ?? 0))) {
      yielded += 1;
      yield change;
    }
  }
  return {
    folder,
    log,
    get yielded() {
      return yielded;
    },
    path: (file) => join(folder, file),
    commit(...sources) {
      const added = sources.map((source, index) => changeOf(log.length + 1 + index, source, note));
      for (const change of added) log.push(change);
      return added;
    },
    open: (place = folder) =>
      openFeedGenerations({ stores: openFeedFolder(place), readChanges, logStart: () => start }),
    cut: (seq) => {
      start = { seq, id: log[seq - 1]?.id ?? '' };
    },
    derived: (name) =>
      log
        .filter(({ source }) => name === ALL_FEED || source === name)
        .map(encodeEvent)
        .join(''),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

function changeOf(seq: number, source: string, note: string): Change {
  return {
    seq,
    id: `01J${String(seq).padStart(23, '0')}`,
    source,
    kind: 'page',
    action: 'update',
    url: `https://${source.replaceAll('_', '-')}.example/page-${seq}`,
    time: formatTime(LAB_START_MS + seq * 1000),
    ...(note !== '' && { note: `${note} ${(seq * 2654435761) % 4294967296}` }),
    provenance: {},
  };
}

export async function bytesOf(body: DocumentBody | Promise<DocumentBody>): Promise<Buffer> {
  const settled = await body;
  if (settled instanceof Uint8Array) return Buffer.from(settled);
  const pieces: Uint8Array[] = [];
  for await (const piece of settled) pieces.push(piece);
  return Buffer.concat(pieces);
}

export async function textOf(version: FeedVersion | undefined): Promise<string | undefined> {
  return version && (await bytesOf(version.read(0, version.bytes))).toString();
}
