import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { LOG_PREFIX } from '../codecs/tlog/log-origin.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { ExportWorld, ShelfSource } from '../dialects/shelf.ts';
import type { ExportedDocument, ShelfExport } from '../dialects/shelf-export.ts';
import type { TlogRecord } from '../dialects/tlog/shelf/tlog-store.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { WEBSUB_HUB_PATH } from '../hub/push/websub/endpoint.ts';
import { shelfSource } from '../hub/shelves/shelf-source.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import { gzipDocument } from '../io/zlib/document.ts';

export interface HubWorldOptions {
  /** Where readers find the hub. Default: taken from the origin of its log. */
  readonly baseUrl?: string | undefined;
  readonly extensions?: HubConfig['extensions'];
}

const NO_ADDRESS = 'http://hub.invalid/';

/**
 * The variants in which documents may show the hub: at the address of its settings or of its log, with and without a WebSub hub, with present and with former
 * source names.
 */
export async function hubWorlds(
  store: Pick<WholeHubStore, 'sources' | 'changes' | 'logStart'>,
  storage: ExportWorld['storage'],
  { options, newest }: { readonly options: HubWorldOptions; readonly newest: TlogRecord },
): Promise<readonly ExportWorld[]> {
  const sources = new Map<string, ShelfSource>();
  for (const source of await store.sources()) if (!source.dropped) sources.set(source.config.id, shelfSource(source));
  const named = newest.origin.slice(0, -LOG_PREFIX.length);
  const said = [options.baseUrl, `https://${named}`, `http://${named}`].filter((base) => base !== undefined);
  // An origin that was altered may be no address at all.
  const bases = new Set(said.map((base) => (canParseUrl(base) ? base : NO_ADDRESS)));
  return [...bases].flatMap((base) => {
    const world: ExportWorld = {
      readChanges: (after) => store.changes({ after }),
      logStart: () => store.logStart(),
      sources: () => [...sources.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
      sourceOf: (id) => sources.get(id),
      baseUrl: () => base,
      root: new URL(base).pathname,
      settings: { extensions: options.extensions ?? {} },
      storage,
      now: Date.now,
      gzip: gzipDocument,
    };
    // Without the present sources, documents name each source as in its newest change.
    const named = [world, { ...world, sources: () => [], sourceOf: () => undefined }];
    return named.flatMap((each) => [{ ...each, hubUrl: () => new URL(WEBSUB_HUB_PATH, base).href }, each]);
  });
}

export async function* documentsIn(exported: ShelfExport): AsyncGenerator<ExportedDocument, void, undefined> {
  yield* exported.lasting();
  yield* exported.heads();
}

/** The paths of the documents that name the page of a change and contain one of these texts. Reads all documents. */
export async function documentsTelling(
  { url, texts }: { readonly url: string; readonly texts: readonly string[] },
  world: ExportWorld,
  dialects: readonly Dialect[],
): Promise<readonly string[]> {
  const telling: string[] = [];
  for (const { shelf } of dialects) {
    const exported = (await shelf?.())?.exported(world);
    if (exported === undefined) continue;
    for await (const document of documentsIn(exported)) {
      const bytes = Buffer.from((await document.read()) ?? []);
      if (bytes.includes(url) && texts.some((text) => bytes.includes(text))) telling.push(document.path);
    }
  }
  return telling;
}
