import { join } from 'node:path';
import { LogLockedError, LogMissingError } from '../errors/log-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { readAuthority } from '../io/files/authority.ts';
import { createRemoteService } from '../io/mcp/remote.ts';
import { connectMcpStdio } from '../io/mcp/stdio.ts';
import { packageVersion } from '../io/node/package-version.ts';
import { wait } from '../io/node/timer-wait.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import { openSectionSearch } from '../io/sqlite/section-search.ts';
import { createHubClient } from '../io/undici/hub-client.ts';
import type { McpPorts } from '../mcp/mcp-ports.ts';
import { createMcpService, type McpService } from '../mcp/mcp-service.ts';
import { tellNews } from '../mcp/notices.ts';
import type { ChangeStream } from '../stream/change-stream.ts';
import { openEmbeddedHub } from './embedded-hub.ts';
import { Endings } from './endings.ts';
import { firstLook } from './first-look.ts';
import { storePorts } from './mcp-store-ports.ts';
import { type HttpOptions, openPolite } from './open-http.ts';
import { openRemoteHub } from './remote-hub.ts';
import { baseUrl } from './setting-values.ts';
import { siteSources } from './site-sources.ts';
import { storeStream } from './store-stream.ts';

export interface McpOptions extends HttpOptions {
  /** Watched by a hub in this process, whose log is in `data`. */
  readonly sites?: readonly string[];
  /** A data folder. Without `sites` it is only read, even beside the hub that writes to it. */
  readonly data?: string;
  /** A running hub, instead of both. */
  readonly hub?: string;
  /** The token of the hub's admin. With it, `add_source` is offered. */
  readonly token?: string;
  /** The file of an index that `sync` keeps. `search` uses it. */
  readonly index?: string;
  /** Called with messages for a person. */
  readonly onMessage?: (line: string) => void;
}

/** A server of the Model Context Protocol for a hub. */
export interface Mcp extends AsyncDisposable {
  /** Serves on stdin and stdout. From then on stdout carries nothing else. Resolves when stdin ends. */
  serveStdio(): Promise<void>;
}

/** What a server uses: the service that answers, and the source of news. */
interface Behind {
  readonly service: McpService;
  readonly isAdmin: boolean;
  readonly stream: ChangeStream;
  newest(): Promise<string | undefined>;
}

const LOCKED_TRIES = 20;
const LOCKED_PAUSE_MS = 250;

/**
 * Opens what the tools read: a hub of these sites, a data folder, or a hub that runs elsewhere.
 *
 * Two of them can share one folder: the second one reads what the first one writes, and reports this through `onMessage`. Fails with a {@link TidingsError} if
 * there is nothing to read from.
 *
 * @example
 * await using mcp = await createMcp({ sites: ['https://docs.example/'], data: './data' });
 * await mcp.serveStdio();
 */
export async function createMcp(options: McpOptions): Promise<Mcp> {
  const endings = new Endings();
  try {
    const behind = await open(options, endings);
    return {
      serveStdio: () => serve(behind, options, endings),
      [Symbol.asyncDispose]: () => endings.run(),
    };
  } catch (error) {
    await endings.run();
    throw error;
  }
}

async function serve(behind: Behind, { onMessage }: McpOptions, endings: Endings): Promise<void> {
  const { service, isAdmin, stream, newest } = behind;
  const stop = new AbortController();
  const onProblem = (error: unknown) => onMessage?.(problemText(error));
  const connection = await connectMcpStdio({ service, isAdmin, version: packageVersion(), onProblem });
  const telling = tellNews({ stream, newest, publish: connection.publish, onProblem }, stop.signal);
  endings.add(async () => {
    stop.abort();
    await connection.close();
    await telling;
  });
  await connection.ended;
}

function problemText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

async function open(options: McpOptions, endings: Endings): Promise<Behind> {
  const { hub, sites = [], data } = options;
  if (hub !== undefined) return await openRemote(hub, options, endings);
  if (data === undefined) {
    throw new SettingRefusedError('data', undefined, 'Name a hub, or a data folder with or without sites.');
  }
  if (sites.length === 0) return await openFolder(data, options, endings);
  try {
    return await openSites(data, sites, options, endings);
  } catch (error) {
    if (!(error instanceof LogLockedError)) throw error;
    options.onMessage?.(
      'Another process has the data folder and watches the sites; this one reads what that one finds.',
    );
    return await openBeside(data, options, endings);
  }
}

async function openRemote(hub: string, { token, ca }: McpOptions, endings: Endings): Promise<Behind> {
  const address = baseUrl(hub, '--hub');
  const authority = ca === undefined ? {} : { ca: await readAuthority(ca) };
  const client = endings.use(createHubClient({ hub: address, ...authority, ...(token !== undefined && { token }) }));
  const stream = endings.use(
    await openRemoteHub({ url: hub, ...(token !== undefined && { token }), ...(ca !== undefined && { ca }) }),
  );
  return {
    service: createRemoteService(client, address),
    isAdmin: token !== undefined,
    stream,
    async newest() {
      const { sources } = (await client.ask({ method: 'GET', path: 'state/health.json' })) as PublicHealth;
      return (
        Object.values(sources ?? {})
          .map(({ last_change_id: id = '' }) => id)
          .sort()
          .at(-1) || undefined
      );
    },
  };
}

interface PublicHealth {
  readonly sources?: Readonly<Record<string, { readonly last_change_id?: string }>>;
}

async function openSites(
  data: string,
  sites: readonly string[],
  options: McpOptions,
  endings: Endings,
): Promise<Behind> {
  const logger = loggerOf(options);
  const hub = endings.use(await openEmbeddedHub({ ...options, data, sources: siteSources(sites), logger }));
  const { store, ways } = hub;
  const stream = endings.use(firstLook(hub));
  const search = await openIndex(options, endings);
  const ports = storePorts({
    ...options,
    agentFeeds: join(data, 'agent-feeds.db'),
    store,
    stream,
    ways,
    endings,
    search,
  });
  return behindPorts(ports, hub, async () => (await store.lastChange())?.id, options);
}

/** The other process may have started only a moment ago. */
async function openBeside(data: string, options: McpOptions, endings: Endings): Promise<Behind> {
  for (let tries = 1; ; tries++) {
    try {
      return await openFolder(data, options, endings);
    } catch (error) {
      if (!(error instanceof LogMissingError) || tries === LOCKED_TRIES) throw error;
      await wait(LOCKED_PAUSE_MS, new AbortController().signal);
    }
  }
}

async function openFolder(data: string, options: McpOptions, endings: Endings): Promise<Behind> {
  const store = endings.use(await openSqliteHubStore({ folder: data, readonly: true }));
  const ways = endings.use(await openPolite(options));
  // The folder belongs to another process: nothing is written there.
  const agentFeeds = options.cacheDir === undefined ? {} : { agentFeeds: join(options.cacheDir, 'agent-feeds.db') };
  const stream = storeStream(store);
  const search = await openIndex(options, endings);
  const ports = storePorts({ ...options, ...agentFeeds, store, stream, ways, endings, search });
  return behindPorts(ports, stream, async () => (await store.lastChange())?.id, options);
}

async function openIndex({ index }: McpOptions, endings: Endings): Promise<McpPorts['search'] | undefined> {
  if (index === undefined) return undefined;
  const { searchSections } = endings.use(await openSectionSearch(index));
  return async ({ query, source, skip, limit }) => ({
    hits: await searchSections(query, { skip, limit, ...(source !== undefined && { source }) }),
    over: 'index',
  });
}

function behindPorts(
  ports: McpPorts,
  stream: ChangeStream,
  newest: Behind['newest'],
  { onMessage }: McpOptions,
): Behind {
  const service = createMcpService(ports, {
    deadline: (ms) => AbortSignal.timeout(ms),
    now: () => performance.now(),
    onProblem: (tool, error) => onMessage?.(`${tool}: ${problemText(error)}`),
  });
  return { service, isAdmin: false, stream, newest };
}

function loggerOf({ onMessage }: McpOptions): HubLogger {
  const say: HubLogger['warn'] = (fields, message) => {
    const { source, error } = fields;
    const whose = source === undefined ? '' : `${String(source)}: `;
    onMessage?.(
      `${whose}${message}${error === undefined ? '' : ` (${error instanceof Error ? error.message : String(error)})`}`,
    );
  };
  return { debug() {}, info() {}, warn: say, error: say };
}

export type { HttpOptions } from './open-http.ts';
