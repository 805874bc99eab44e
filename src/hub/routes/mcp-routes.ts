import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';

export const MCP_PATH = '/mcp';

export interface McpRouteParts {
  /** Whether scripts of a web page of this origin may send requests. */
  isOwnOrigin(origin: string): boolean;
  /** Longer bodies are refused. */
  readonly bodyBytes: number;
  answer(request: HubRequest): Promise<HubResponse>;
}

/** The hub for agents. One address takes POST; there are no sessions, so there is nothing to GET or DELETE. */
export function mcpRoutes({ isOwnOrigin, bodyBytes, answer }: McpRouteParts): Route[] {
  const guard: Route['guard'] = ({ origin }) => (origin === undefined || isOwnOrigin(origin) ? undefined : FOREIGN);
  const others = (['GET', 'DELETE'] as const).map(
    (method): Route => ({
      method,
      path: MCP_PATH,
      access: 'open',
      summary: 'Not supported: there are no sessions, and notifications are sent on the stream of a POST.',
      responses: { 403: FOREIGN_ORIGIN, 405: 'Use POST.' },
      guard,
      handle: () => POST_ONLY,
    }),
  );
  return [
    {
      method: 'POST',
      path: MCP_PATH,
      access: 'public-or-admin',
      summary:
        'The Model Context Protocol (Streamable HTTP; revisions 2026-07-28, 2025-11-25, 2025-06-18): one JSON-RPC message.',
      requestBody: { type: 'object', required: ['jsonrpc', 'method'] },
      wantsBytes: true,
      bodyBytes,
      responses: {
        200: 'The answer, as JSON or as a stream of events.',
        202: 'A notification was accepted.',
        400: 'The message or its headers are invalid.',
        403: FOREIGN_ORIGIN,
        404: 'There is no such method.',
        501: 'The MCP package is not installed with the hub.',
      },
      answer: { mediaType: 'application/json' },
      guard,
      handle: withProblems(answer),
    },
    ...others,
  ];
}

const FOREIGN_ORIGIN = 'The request is of a web page that is not the hub’s own.';
const FOREIGN = problem({ status: 403, detail: `${FOREIGN_ORIGIN} Name its host in "hosts" if it is yours.` });
const POST_ONLY = problem({ status: 405, detail: 'This can be asked with POST only.' }, { allow: 'POST' });
