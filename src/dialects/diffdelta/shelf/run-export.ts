import {
  DIFFDELTA_DISCOVERY_PATH,
  FRESH_CACHE,
  GLOBAL_ID,
  IMMUTABLE_CACHE,
  MEDIA_TYPE,
  SCHEMA_PATH,
} from '../../../codecs/diffdelta/wire.ts';
import type { ExportWorld, ShelfSource } from '../../shelf.ts';
import type { ExportedDocument, ShelfExport } from '../../shelf-export.ts';
import { discoveryOf } from '../runs/discovery.ts';
import { headPath, latestPath } from '../runs/feed-paths.ts';
import { jsonArtifact, runSourceList } from './diffdelta-routes.ts';
import type { RunFeedRecord } from './feed-record.ts';
import type { RunStore } from './run-store.ts';

export interface RunExportWorld extends Pick<ExportWorld, 'baseUrl' | 'sources'> {
  readonly ttlSec: number;
  readonly ttlSecOf: (source: ShelfSource) => number;
  /** The text of our JSON Schema. */
  readonly schema: string;
}

const FRESH = { mediaType: MEDIA_TYPE, cacheControl: FRESH_CACHE };
const FOR_EVER = { mediaType: MEDIA_TYPE, cacheControl: IMMUTABLE_CACHE };
/** Clients that follow an earlier reading of the specification look here. */
const OTHER_FOLDER = 'diff/source/';

/**
 * The archives of a hub as files, and then its heads: for each source the feed before its head, then those of all sources, then the
 * documents that list them. A source whose first feed is not written yet is not listed.
 */
export function exportRuns(store: RunStore, world: RunExportWorld): ShelfExport {
  return {
    rules: [
      { path: 'archive/*', ...FOR_EVER, cdnCacheControl: IMMUTABLE_CACHE },
      { path: SCHEMA_PATH.slice(1), ...FOR_EVER, cdnCacheControl: IMMUTABLE_CACHE },
      { path: 'diff/*', ...FRESH, cdnCacheControl: FRESH_CACHE },
      { path: DIFFDELTA_DISCOVERY_PATH.slice(1), ...FRESH, cdnCacheControl: FRESH_CACHE },
    ],
    hasEnded: (path) => store.hasEnded(path),
    *lasting() {
      for (const path of store.archivePaths()) {
        yield { ...FOR_EVER, path, kind: 'lasting', read: () => store.archive(path) };
      }
    },
    *heads() {
      const records = new Map(store.feeds().map((record) => [record.name, record]));
      const ofAll = records.get(GLOBAL_ID);
      if (ofAll === undefined) return;
      for (const record of records.values()) if (record !== ofAll) yield* runFiles(record, store);
      yield* runFiles(ofAll, store);
      yield* listsOf(records, world);
    },
  };
}

/** The files of a source are written twice, because existing clients look at two addresses. */
function* runFiles({ name, head }: RunFeedRecord, store: RunStore): Iterable<ExportedDocument> {
  const latest = () => {
    const body = store.latest(name);
    return body && store.unpack(body);
  };
  const again = name === GLOBAL_ID ? [] : [otherPath];
  for (const at of [(path: string) => path, ...again]) {
    yield { ...FRESH, path: at(latestPath(name, '')), kind: 'moving', read: latest };
    yield { ...FRESH, path: at(headPath(name, '')), kind: 'moving', read: () => Buffer.from(head) };
  }
}

function otherPath(path: string): string {
  return path.replace('diff/', OTHER_FOLDER);
}

function* listsOf(records: ReadonlyMap<string, RunFeedRecord>, world: RunExportWorld): Iterable<ExportedDocument> {
  const { baseUrl, ttlSec, ttlSecOf, schema } = world;
  const listed = world.sources().filter(({ id }) => records.has(id));
  const moving = (path: string, read: () => Uint8Array): ExportedDocument => ({ ...FRESH, path, kind: 'moving', read });
  yield { ...moving(SCHEMA_PATH.slice(1), () => Buffer.from(schema)), ...FOR_EVER };
  yield moving(
    'diff/sources.json',
    () => runSourceList({ standingOf: (id) => records.get(id) }, { baseUrl, ttlSecOf, sources: () => listed }).bytes,
  );
  yield moving(
    DIFFDELTA_DISCOVERY_PATH.slice(1),
    () => jsonArtifact(discoveryOf({ base: baseUrl(), sources: listed.map(({ id }) => id), ttlSec })).bytes,
  );
}
