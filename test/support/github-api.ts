import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnFreshPort } from './fresh-port.ts';

export interface IssueComment {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

/** The routes of GitHub's REST API for the comments of one pull request, with pagination, rights and limits. */
export interface GitHubApi extends AsyncDisposable {
  readonly url: string;
  readonly comments: IssueComment[];
  readonly requests: string[];
  /** Set if the token may only read, as on a pull request from a fork. */
  isReadOnly: boolean;
}

export async function startGitHubApi(token: string, issue: string): Promise<GitHubApi> {
  const state = { comments: [] as IssueComment[], requests: [] as string[], isReadOnly: false };
  let last = 1000;
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    state.requests.push(`${request.method} ${request.url}`);
    const body = await bodyOf(request);
    if (request.headers.authorization !== `Bearer ${token}`)
      return answer(response, 401, { message: 'Bad credentials' });
    if (!request.headers['user-agent']) return answer(response, 403, { message: 'No user agent' });
    const list = `/repos/${issue.replace('#', '/issues/')}/comments`;
    if (request.method === 'GET' && pathname === list) {
      const [size, page] = ['per_page', 'page'].map((name) => Number(searchParams.get(name) ?? 1)) as [number, number];
      return answer(response, 200, state.comments.slice((page - 1) * size, page * size));
    }
    if (state.isReadOnly) return answer(response, 403, { message: 'Resource not accessible by integration' });
    const text = (JSON.parse(body || '{}') as { body?: string }).body ?? '';
    if (text.length === 0 || text.length > 65_536) return answer(response, 422, { message: 'Validation Failed' });
    if (request.method === 'POST' && pathname === list) {
      last += 1;
      const comment = { id: last, user: { login: 'github-actions[bot]' }, body: text };
      state.comments.push(comment);
      return answer(response, 201, comment);
    }
    const [, id] = /^\/repos\/[^/]+\/[^/]+\/issues\/comments\/(\d+)$/.exec(pathname) ?? [];
    const known = state.comments.find((comment) => comment.id === Number(id));
    if (request.method !== 'PATCH' || known === undefined) return answer(response, 404, { message: 'Not Found' });
    known.body = text;
    return answer(response, 200, known);
  });
  const port = await listenOnFreshPort(server);
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function answer(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
