import { McpRequestError } from '../errors/mcp-request-error.ts';
import { CallLimits, type CallLimitsOptions } from './call-limits.ts';
import type { CallContext, McpPorts } from './mcp-ports.ts';
import { type ListedResources, listResources, type ResourceContents, readResource } from './resources.ts';
import type { Tool, ToolDefinition } from './tool.ts';
import { failureText } from './tool-failure.ts';
import type { ToolObject } from './tool-json.ts';
import { toolsOver } from './tools.ts';

/** What an MCP server offers, whatever the revision and transport of the caller. Invalid requests fail with an {@link McpRequestError}. */
export interface McpService {
  /** The same list for all callers with the same rights. */
  tools(isAdmin: boolean): Promise<readonly ToolDefinition[]>;
  call(name: string, args: ToolObject, context: CallContext): Promise<ToolResult>;
  listResources(cursor: string | undefined, signal: AbortSignal): Promise<ListedResources>;
  readResource(uri: string, signal: AbortSignal): Promise<ResourceContents>;
}

export interface ToolResult {
  /** Some clients show only this to models. Absent for an error. */
  readonly structuredContent?: ToolObject;
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError?: true;
}

export interface McpServiceOptions extends CallLimitsOptions {
  /** Aborted after this time. */
  deadline(ms: number): AbortSignal;
  /** For the operator, with more details than the caller gets. */
  onProblem(tool: string, error: unknown): void;
}

/** Clients give up after 60 s. */
const CALL_MS = 45_000;
const TOO_LONG =
  'It took longer than 45 s and was stopped. Call it again: what was read by then is kept, and a site that is asked politely takes its time.';

export function createMcpService(ports: McpPorts, options: McpServiceOptions): McpService {
  const tools = toolsOver(ports);
  const limits = new CallLimits(options);
  const offered = (isAdmin: boolean) => tools.filter((tool) => isAdmin || tool.isForAdmin !== true);
  return {
    tools: async (isAdmin) => offered(isAdmin).map(definitionOf),
    async call(name, args, context) {
      const tool = offered(context.isAdmin).find((each) => each.name === name);
      if (tool === undefined)
        throw new McpRequestError('unknown-tool', 'There is no such tool. tools/list names them.');
      return await limits
        .run(tool.isLive === true, () => callTool(tool, args, context, options))
        .catch(failed(tool, options));
    },
    listResources: (cursor, signal) => listResources(ports, cursor, signal),
    readResource: (uri, signal) => readResource(ports, uri, signal),
  };
}

function definitionOf({ name, title, description, inputSchema, outputSchema, annotations }: Tool): ToolDefinition {
  return { name, title, description, inputSchema, outputSchema, annotations };
}

async function callTool(
  tool: Tool,
  args: ToolObject,
  context: CallContext,
  { deadline }: McpServiceOptions,
): Promise<ToolResult> {
  const timer = deadline(CALL_MS);
  const signal = AbortSignal.any([context.signal, timer]);
  signal.throwIfAborted();
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    const structuredContent = await Promise.race([tool.run(args, { ...context, signal }), over]);
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
  } catch (error) {
    if (timer.aborted && !context.signal.aborted) return errorResult(TOO_LONG);
    throw error;
  }
}

/** What a tool cannot do is an answer. If no caller waits any more, there is none. */
function failed(tool: Tool, { onProblem }: McpServiceOptions): (error: unknown) => ToolResult {
  return (error) => {
    onProblem(tool.name, error);
    return errorResult(failureText(error));
  };
}

function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
