import type { Server } from '@modelcontextprotocol/server';
import type { McpService } from '../../mcp/mcp-service.ts';
import type { Notices } from '../../mcp/notices.ts';
import { loadMcpSdk, loadMcpStdioSdk } from './load-sdk.ts';
import { createMcpServer } from './server.ts';

export interface McpStdioParts {
  readonly service: McpService;
  readonly version: string;
  /** Whether the starter of this process is the hub's admin. */
  readonly isAdmin: boolean;
  /** What is wrong with what came in: for stderr. */
  onProblem(error: unknown): void;
}

export interface McpConnection {
  /** Tells the client what changed, as far as it wants to know. */
  publish(notices: Notices): void;
  /** Resolves when stdin ends, or is closed from here. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves the one client on stdin and stdout. How it opens decides which revision is spoken. */
export async function connectMcpStdio(parts: McpStdioParts): Promise<McpConnection> {
  const { service, version, isAdmin, onProblem } = parts;
  const sdk = await loadMcpSdk();
  const { serveStdio, StdioServerTransport } = await loadMcpStdioSdk();
  let current: { readonly server: Server; readonly subscribed?: Set<string> } | undefined;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const connection = serveStdio(
    ({ era }) => {
      const subscribed = era === 'legacy' ? new Set<string>() : undefined;
      const use = { isAdmin, canNotify: true, ...(subscribed !== undefined && { subscribed }) };
      const server = createMcpServer({ sdk, service, version }, use);
      current = { server, ...(subscribed !== undefined && { subscribed }) };
      return server;
    },
    { transport: new StdioServerTransport(process.stdin, process.stdout), onerror: onProblem },
  );
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  process.stdout.once('close', end);

  return {
    publish(notices) {
      if (current !== undefined) tell(current.server, current.subscribed, notices).catch(onProblem);
    },
    ended,
    async close() {
      await connection.close();
      end();
    },
  };
}

/** The SDK hands a notice to those streams of a new client that want it; to an old one all of them would go. */
async function tell(
  server: Server,
  subscribed: Set<string> | undefined,
  { uris, isListChanged }: Notices,
): Promise<void> {
  if (server.transport === undefined) return;
  for (const uri of uris) if (subscribed?.has(uri) !== false) await server.sendResourceUpdated({ uri });
  if (isListChanged) await server.sendResourceListChanged();
}
