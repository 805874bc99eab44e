import { ReaderLockedError } from '../errors/reader-error.ts';
import type { EndpointAnswer, EndpointQuestion, McpPorts } from '../mcp/mcp-ports.ts';
import { type AgentFeedReader, createAgentFeedReader } from './agent-feed-reader.ts';
import type { ReaderOptions } from './reader-options.ts';

export interface EndpointResolver extends AsyncDisposable {
  readonly resolve: McpPorts['resolve'];
}

/** What origins say about their APIs in their agent-feeds. An origin that ended its feed stays untrusted as long as the state is kept. */
export function resolveEndpoints(options: ReaderOptions): EndpointResolver {
  let reader: AgentFeedReader | undefined;
  return {
    async resolve(question, signal) {
      reader ??= createAgentFeedReader({ ...options, lockWaitMs: 0 });
      try {
        return await answerBy(reader, question, signal);
      } catch (error) {
        if (!(error instanceof ReaderLockedError)) throw error;
        // Another process holds the state. Its knowledge is used, and no origin is asked twice.
        await using beside = createAgentFeedReader({ ...options, readOnly: true });
        return await answerBy(beside, question, signal);
      }
    },
    async [Symbol.asyncDispose]() {
      await reader?.close();
    },
  };
}

async function answerBy(
  reader: AgentFeedReader,
  { origin, endpoint, protocol, at }: EndpointQuestion,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const report = await reader.ingest(origin, { signal });
  const question = at === undefined ? {} : { at };
  const { trust, feedStatus, specVersion, lastSeen, endpoints, problem, suspended } = report;
  const told = {
    feedStatus,
    specVersion,
    lastSeen,
    endpoints: JSON.parse(JSON.stringify(endpoints)),
    ...(problem !== undefined && { isStale: true }),
  };
  const isTrusted = trust && suspended === undefined && feedStatus !== null;
  const url = await urlOf();
  return { trust: isTrusted, ...(url !== undefined && { url }), report: told };

  async function urlOf(): Promise<string | null | undefined> {
    if (endpoint !== undefined) return await reader.resolveUrl(origin, endpoint, question);
    return protocol === undefined ? undefined : await reader.canonicalEndpoint(origin, protocol, question);
  }
}
