import { changeUnknownError } from '../errors/refusals.ts';
import { wantedChange } from '../hub/why/wanted-change.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import type { McpPorts } from '../mcp/mcp-ports.ts';
import type { ChangeStream } from '../stream/change-stream.ts';
import { discoverBy } from './discover.ts';
import type { Endings } from './endings.ts';
import { resolveEndpoints } from './mcp-endpoints.ts';
import { hubPages } from './mcp-hub-pages.ts';
import { CALLERS, livePages } from './mcp-live-page.ts';
import { searchSnapshots } from './mcp-search.ts';
import type { HttpOptions, PoliteWays } from './open-http.ts';
import { explainFromStore } from './why.ts';

export interface StorePortsOptions extends Pick<HttpOptions, 'allowPrivate' | 'ca' | 'botUrl'> {
  readonly store: WholeHubStore;
  readonly stream: ChangeStream;
  readonly ways: PoliteWays;
  /** The file that remembers what agent-feeds said, and which origins ended theirs. Absent: only this process remembers. */
  readonly agentFeeds?: string;
  readonly endings: Endings;
  /** Searches an index of `sync` instead of the hub's own texts. */
  readonly search?: McpPorts['search'] | undefined;
}

/** What the tools read, from the store of a hub: its own, or that of a hub that runs elsewhere on this machine. */
export function storePorts(options: StorePortsOptions): McpPorts {
  const { store, stream, ways, agentFeeds, endings, allowPrivate = false, ca, botUrl } = options;
  const { search } = options.search === undefined ? endings.use(searchSnapshots(store)) : { search: options.search };
  const { resolve } = endings.use(
    resolveEndpoints({
      ...(agentFeeds !== undefined && { state: agentFeeds }),
      allowPrivate,
      insecure: allowPrivate,
      ...(ca !== undefined && { ca }),
      ...(botUrl !== undefined && { botUrl }),
    }),
  );
  return {
    stream,
    isSource: async (id) =>
      (await store.sources()).some(({ config }) => config.id === id) || (await store.lastChangeIdOf(id)) !== undefined,
    ...hubPages(store),
    livePage: livePages(ways),
    discover: async (url, context) => JSON.parse(JSON.stringify(await discoverBy(ways.of(CALLERS), url, context))),
    search,
    resolve,
    async why(target) {
      const found = await explainFromStore(target, wantedChange(target), store);
      if (found.length === 0) throw changeUnknownError('', '');
      return JSON.parse(JSON.stringify(found));
    },
  };
}
