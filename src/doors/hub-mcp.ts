import { join } from 'node:path';
import type { Dialect } from '../dialects/dialect.ts';
import type { ChangeReceipts } from '../dialects/shelf.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { ToolRefusal } from '../errors/tool-refusal.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { isForThisMachine, isOwnOrigin } from '../hub/http/own-hosts.ts';
import { problem } from '../hub/http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../hub/http/route.ts';
import type { ChangeTail } from '../hub/push/change-tail.ts';
import { receiptUrl } from '../hub/receipt-url.ts';
import { sourceOfUrl } from '../hub/routes/document-scope.ts';
import { mcpRoutes } from '../hub/routes/mcp-routes.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import { createMcpHttp, MCP_BODY_BYTES, type McpHttp } from '../io/mcp/http.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import type { McpPorts } from '../mcp/mcp-ports.ts';
import { createMcpService } from '../mcp/mcp-service.ts';
import { noticeTeller } from '../mcp/notices.ts';
import { Endings } from './endings.ts';
import { sourceDecoder, sourceScope } from './hub-routes.ts';
import type { SnapshotSearch } from './mcp-search.ts';
import { storePorts } from './mcp-store-ports.ts';
import type { PoliteWays } from './open-http.ts';
import { siteSources } from './site-sources.ts';
import { storeStream } from './store-stream.ts';

export interface HubMcpParts {
  readonly config: HubConfig;
  readonly store: WholeHubStore;
  readonly ways: PoliteWays;
  readonly watch: Watch;
  readonly tail: ChangeTail;
  /** Searches the texts of the hub's pages. */
  readonly pageTexts: Pick<SnapshotSearch, 'search'>;
  /** Proofs of changes; undefined if the hub has none. */
  readonly receipts: ChangeReceipts | undefined;
  /** The dialects that sources may use. */
  readonly dialects: readonly Dialect[];
  readonly version: string;
  readonly logger: HubLogger;
  /** Where readers find the hub, with a final slash. */
  readonly baseUrl: () => string;
}

export interface HubMcp {
  readonly routes: readonly Route[];
  /** Ends the open streams. */
  close(): Promise<void>;
}

/** `/mcp` of a hub. Its parts are loaded by the first request, because most hubs get none. */
export function hubMcp(parts: HubMcpParts): HubMcp {
  const endings = new Endings();
  let opening: Promise<McpHttp> | undefined;
  const opened = () => {
    opening ??= open(parts, endings).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const answer = async (request: HubRequest): Promise<HubResponse> => {
    try {
      return await (await opened()).answer(request);
    } catch (error) {
      if (error instanceof SettingRefusedError) return problem({ status: 501, detail: error.message });
      throw error;
    }
  };
  const own = (origin: string) => isOwnOrigin(origin, parts.config);
  return {
    routes: mcpRoutes({ isOwnOrigin: own, bodyBytes: MCP_BODY_BYTES, answer }),
    async close() {
      await opening?.catch(() => undefined);
      await endings.run();
    },
  };
}

async function open(parts: HubMcpParts, endings: Endings): Promise<McpHttp> {
  const { config, store, ways, logger, version } = parts;
  const stream = storeStream(store, parts.tail);
  const ports: McpPorts = {
    ...storePorts({
      ...config,
      ...parts.pageTexts,
      agentFeeds: join(config.data, 'agent-feeds.db'),
      store,
      stream,
      ways,
      endings,
    }),
    addSource: (source) => addSource(source, parts),
    receiptUrl: (id) => receiptUrl(parts.baseUrl(), id),
    receipt: async (id) => {
      const checkpoint = parts.receipts?.checkpointOver(0);
      return checkpoint === undefined ? undefined : await parts.receipts?.receiptOf(id, checkpoint);
    },
    ...(isForThisMachine(config) ? {} : { ensureMayAsk: (url, isAdmin) => ensureWatched(url, isAdmin, parts) }),
  };
  const service = createMcpService(ports, {
    deadline: (ms) => AbortSignal.timeout(ms),
    now: () => performance.now(),
    onProblem: (tool, error) => logger.debug({ tool, error }, 'A tool could not do what it was asked for'),
  });
  const onProblem = (error: unknown) => logger.debug({ error }, 'A request of an MCP client was refused');
  const http = await createMcpHttp({ service, version, onProblem });
  const tell = noticeTeller(http.publish);
  const stopTelling = parts.tail.onEvents((events) => tell(events.map(({ change }) => change)));
  endings.add(async () => {
    stopTelling();
    await http.close();
  });
  return http;
}

/** A hub that others can reach fetches anything for its admin, but only watched pages for everybody else. */
async function ensureWatched(url: string, isAdmin: boolean, { watch, store }: HubMcpParts): Promise<void> {
  if (isAdmin) return;
  const configs = watch.sources().map(({ config }) => config);
  if ((await sourceOfUrl(new URL(url), configs, sourceScope(store))) !== undefined) return;
  throw new ToolRefusal(
    "This hub is public, and reads for callers without its token only what it watches. The tool sources names that; the hub's admin can send the token.",
  );
}

async function addSource({ url, id, title }: Parameters<NonNullable<McpPorts['addSource']>>[0], parts: HubMcpParts) {
  const { watch, config: settings, dialects } = parts;
  const [site] = siteSources([url]);
  const named = { ...site, ...(id !== undefined && { id }), ...(title !== undefined && { title }) };
  const config = sourceDecoder(settings, dialects)(named, '');
  const [added] = await watch.add([config]);
  return { id: added?.config.id ?? config.id, url, kind: config.kind };
}
