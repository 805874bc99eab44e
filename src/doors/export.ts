import type { Dialect } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { ExportWorld, ShelfSource } from '../dialects/shelf.ts';
import type { ShelfExport } from '../dialects/shelf-export.ts';
import { exportRefusedError } from '../errors/export-error.ts';
import { LogMissingError } from '../errors/log-error.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { exportHub } from '../hub/export/export-hub.ts';
import type { ExportProgress, ExportReport } from '../hub/export/export-report.ts';
import { untouched } from '../hub/export/export-target.ts';
import { shelfSource } from '../hub/shelves/shelf-source.ts';
import { holdView } from '../io/sqlite/held-view.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { gzipDocument } from '../io/zlib/document.ts';
import { openExportTarget, type S3Ways } from './export-target.ts';
import { readableStorage } from './shelf-storage.ts';

export interface ExportDataOptions {
  /** A folder, or `s3://bucket/prefix`. */
  readonly to: string;
  /** How to reach a bucket, and with which credentials. */
  readonly s3?: S3Ways;
  /** Where readers will find the export. Must be the `baseUrl` of the hub. */
  readonly site?: string | undefined;
  /** Reports what would be written, and writes nothing. */
  readonly dryRun?: boolean;
  /** Also export a hub with private access. */
  readonly evenPrivate?: boolean;
  readonly dialects?: readonly Dialect[];
  readonly onProgress?: (progress: ExportProgress) => void;
  readonly signal?: AbortSignal;
}

export interface DataExport extends ExportReport {
  readonly target: string;
  readonly site: string;
}

/** Exports what a hub serves from its data folder, even while it runs. The data folder is only read. */
export async function exportData(config: HubConfig, options: ExportDataOptions): Promise<DataExport> {
  const base = siteOf(config, options.site);
  if (config.access === 'private' && !options.evenPrivate) throw exportRefusedError(PRIVATE);
  await using place = await openExportTarget(options.to, options.s3, options.signal);
  const { target } = place;
  await using store = await openSqliteHubStore({ folder: config.data, readonly: true });
  const sources = new Map<string, ShelfSource>();
  const world = exportWorld({ config, base, store, sources });
  const shelves = await shelfExports(options.dialects ?? DIALECTS, world);
  if (shelves.length === 0) throw new LogMissingError(config.data);
  const { onProgress, signal, dryRun } = options;
  const report = await exportHub(shelves, dryRun ? untouched(target) : target, {
    base,
    onProgress,
    signal,
    async holdView() {
      const view = store.openTables(holdView);
      for (const source of await store.sources()) {
        if (!source.dropped) sources.set(source.config.id, shelfSource(source));
      }
      return view;
    },
  });
  return { target: target.name, site: base.href, ...report };
}

const PRIVATE =
  'This hub is private ("access" in its settings), and whoever can read the place that it is exported to reads all of its feeds. ' +
  'Say --even-private where that is meant.';

/** Feeds name their documents by the address of the hub, so they are correct only at that address. */
function siteOf({ baseUrl }: HubConfig, site: string | undefined): URL {
  if (baseUrl === undefined) {
    throw exportRefusedError(
      'Feeds name each other by the address of the hub, and this hub has none: set "baseUrl" in its settings (or TIDINGS_BASE_URL) to ' +
        `where readers will find it${site === undefined ? '' : `: ${JSON.stringify(site)}`}, and restart it.`,
    );
  }
  const base = new URL(baseUrl);
  if (site === undefined || withSlash(site) === base.href) return base;
  throw exportRefusedError(
    `--site ${site} is not the address of this hub, which is ${base.href}: its feeds name each other by that. ` +
      `Set "baseUrl" in its settings to ${site} and restart it, or leave --site out.`,
  );
}

function withSlash(site: string): string {
  try {
    const { href } = new URL(site);
    return href.endsWith('/') ? href : `${href}/`;
  } catch {
    throw exportRefusedError(`--site ${site} is no address: give it as https://hub.example/.`);
  }
}

interface WorldParts {
  readonly config: HubConfig;
  readonly base: URL;
  readonly store: SqliteHubStore;
  /** Filled once the view is held. */
  readonly sources: ReadonlyMap<string, ShelfSource>;
}

function exportWorld({ config, base, store, sources }: WorldParts): ExportWorld {
  const { ttlSeconds, license, about, extensions } = config;
  return {
    readChanges: (after) => store.changes({ after }),
    logStart: () => store.logStart(),
    sources: () => [...sources.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
    sourceOf: (id) => sources.get(id),
    baseUrl: () => base.href,
    root: base.pathname,
    settings: {
      extensions,
      ...(ttlSeconds !== undefined && { ttlSeconds }),
      ...(license !== undefined && { license }),
      ...(about !== undefined && { about }),
    },
    storage: readableStorage(config, store),
    now: Date.now,
    gzip: gzipDocument,
  };
}

async function shelfExports(dialects: readonly Dialect[], world: ExportWorld): Promise<readonly ShelfExport[]> {
  const exports: ShelfExport[] = [];
  for (const { shelf } of dialects) {
    const exported = (await shelf?.())?.exported(world);
    if (exported !== undefined) exports.push(exported);
  }
  return exports;
}
