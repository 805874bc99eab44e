import { TidingsError } from '../../errors/tidings-error.ts';
import { answerArtifact, type ServedArtifact } from '../http/answer-artifact.ts';
import { withProblems } from '../http/api-problems.ts';
import { errorProblem } from '../http/error-problem.ts';
import type { Html } from '../http/html.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route, RouteParameter } from '../http/route.ts';
import { JSON_TYPE, smallArtifact, uncachedJson } from '../http/small-answer.ts';
import { mayAct, NOBODY, type Role, TOKEN_HOLDER, type Viewer, type Viewers } from '../sign-in/viewer.ts';
import { type Framer, type HubPage, rootOf } from './page-frame.ts';
import { problemPage } from './problem-page.ts';

/** Who asks for what. */
export interface AskedView {
  readonly params: HubRequest['params'];
  readonly query: URLSearchParams;
  readonly viewer: Viewer;
  readonly signal: AbortSignal;
  /** How the page leads to the hub: every link of it begins with this. */
  readonly root: string;
}

/**
 * A page for people, and the same as JSON: the page shows what `read` gives and nothing else.
 *
 * `/sources/:id` is a page, `/api/v1/views/sources/:id` what it shows. What `read` throws is a {@link TidingsError}; its status and its
 * remedy become an answer in both forms.
 */
export interface View<Facts> {
  /** Below the hub, as routes are written. */
  readonly path: string;
  /** For the OpenAPI description. */
  readonly summary: string;
  /** Who may look. Absent: anyone. */
  readonly role?: Role;
  readonly parameters?: readonly RouteParameter[];
  /** JSON Schema of the facts. */
  readonly schema: object;
  /** Its requests are counted per client, and refused beyond a limit. */
  readonly isMetered?: true;
  /** Another form of the same page, if the client asks for one; undefined for the page itself. */
  otherForm?(facts: Facts, asked: AskedForm): OtherForm | undefined;
  /** The cost of reading is bounded, however long the log is and however many sources there are. */
  read(asked: AskedView): Facts | Promise<Facts>;
  show(facts: Facts, asked: AskedView): HubPage;
}

export interface AskedForm {
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
}

export interface OtherForm {
  readonly mediaType: string;
  readonly text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: each view has facts of its own, which only it looks into.
export type AnyView = View<any>;

export interface ViewParts {
  readonly viewers: Viewers;
  readonly frame: Framer;
  /** Absent: pages are sent as they are. */
  readonly gzip?: (bytes: Uint8Array) => Uint8Array;
}

/** Where the facts of a page are found. */
function viewApiPath(path: string): string {
  return `/api/v1/views${path === '/' ? '/overview' : path}`;
}

/** Both forms of each view. */
export function viewRoutes(views: readonly AnyView[], parts: ViewParts): Route[] {
  return views.flatMap((view) => [apiRoute(view, parts), pageRoute(view, parts)]);
}

function apiRoute(view: AnyView, { viewers }: ViewParts): Route {
  return {
    method: 'GET',
    path: viewApiPath(view.path),
    access: view.role === undefined ? 'public-or-admin' : 'admin',
    summary: view.summary,
    ...(view.isMetered && { isMetered: true as const }),
    ...(view.parameters !== undefined && { parameters: view.parameters }),
    responses: { 200: 'What the page shows.', 400: 'A parameter is malformed.', 404: 'Not found.' },
    answer: { mediaType: JSON_TYPE, schema: view.schema },
    handle: withProblems(async (request) => {
      const { params, query, isAdmin, signal } = request;
      const { domains } = viewers.viewerOf(request);
      const viewer = { ...(isAdmin ? TOKEN_HOLDER : NOBODY), ...(domains && { domains }) };
      return uncachedJson(200, await view.read({ params, query, viewer, signal, root: '' }));
    }),
  };
}

function pageRoute(view: AnyView, { viewers, frame, gzip }: ViewParts): Route {
  const root = rootOf(view.path);
  return {
    method: 'GET',
    path: view.path,
    access: 'open',
    summary: `HTML page: ${view.summary}`,
    ...(view.isMetered && { isMetered: true as const }),
    ...(view.parameters !== undefined && { parameters: view.parameters }),
    responses: { 200: 'The page.', 303: 'Sign in first.', 304: 'Not modified.', 404: 'Not found.' },
    answer: { mediaType: HTML_TYPE },
    handle: async (request) => {
      const { params, query, signal } = request;
      const viewer = viewers.viewerOf(request);
      const asked = { params, query, viewer, signal, root };
      if (view.role !== undefined && !mayAct(viewer, view.role)) return notFor(asked, view, frame);
      try {
        const facts = await view.read(asked);
        const other = view.otherForm?.(facts, { query, accept: request.headers.accept });
        if (other !== undefined) return answerArtifact(request, smallArtifact(other.text, other.mediaType, BY_ACCEPT));
        const answer = answerPage(request, pageArtifact(frame(view.show(facts, asked), asked), { viewer, gzip }));
        return view.otherForm === undefined
          ? answer
          : { ...answer, headers: { ...answer.headers, vary: VARY_BY_FORM } };
      } catch (error) {
        if (!(error instanceof TidingsError)) throw error;
        const answer = errorProblem(error);
        return { ...htmlAnswer(answer.status, frame(problemPage(answer, root), asked)), error };
      }
    },
  };
}

export const HTML_TYPE = 'text/html; charset=utf-8';

/** Same origin only: no script or style inside of the page, no frame around it, nothing from elsewhere. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  vary: 'accept-encoding, cookie',
};
const VARY_BY_FORM = 'accept, accept-encoding, cookie';
const BY_ACCEPT = { vary: 'accept' };

/** A page that is of this moment or of this reader alone. */
export function htmlAnswer(status: number, html: Html, headers: Readonly<Record<string, string>> = {}): HubResponse {
  return {
    status,
    headers: { 'content-type': HTML_TYPE, 'cache-control': 'no-store', ...PAGE_HEADERS, ...headers },
    body: String(html),
  };
}

/** Who did not sign in may keep a page and ask whether it is still so. */
function pageArtifact(page: Html, { viewer, gzip }: Pick<ViewParts, 'gzip'> & { readonly viewer: Viewer }) {
  const artifact = smallArtifact(String(page), HTML_TYPE);
  const packed = gzip === undefined ? artifact : { ...artifact, gzip: () => gzip(artifact.bytes) };
  const { role, domains } = viewer;
  return role === undefined && domains === undefined ? packed : { ...packed, cacheControl: 'private, no-store' };
}

function answerPage(request: HubRequest, artifact: ServedArtifact): HubResponse {
  const answer = answerArtifact(request, artifact);
  return { ...answer, headers: { ...answer.headers, ...PAGE_HEADERS } };
}

/** Who did not sign in is led there and comes back. */
function notFor({ params, query, viewer, root }: AskedView, { path }: AnyView, frame: Framer): HubResponse {
  if (viewer.role !== undefined) {
    const refusal = problem({ status: 403, detail: `Your role is "${viewer.role}", which may not see this page.` });
    return htmlAnswer(403, frame(problemPage(refusal, root), { root, query, viewer }));
  }
  return {
    status: 303,
    headers: { location: signInPath({ path, params, query, root }), 'cache-control': 'no-store' },
  };
}

/** Where somebody signs in and comes back from to a page. */
export function signInPath(asked: Pick<AskedView, 'params' | 'query' | 'root'> & { readonly path: string }): string {
  const { path, params, query, root } = asked;
  const to = `${pathOf(path, params)}${query.size > 0 ? `?${query}` : ''}`;
  return `${root}sign-in?to=${encodeURIComponent(to)}`;
}

/** Below the hub, without a slash before it. */
function pathOf(path: string, params: HubRequest['params']): string {
  return path
    .slice(1)
    .split('/')
    .map((part) => (part.startsWith(':') ? encodeURIComponent(params[part.slice(1)] ?? '') : part))
    .join('/');
}

/** An empty field of a form is one that was not filled in; `done` is for the frame. */
export function presentFields(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...query].filter(([name, value]) => names.includes(name) && value !== ''));
}
