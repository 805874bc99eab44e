import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import { formFields, isFromElsewhere, isSameToken, TOKEN_FIELD } from '../sign-in/own-form.ts';
import { mayAct, type Role, type Viewer, type Viewers } from '../sign-in/viewer.ts';
import { type FrameFacts, type Framer, type HubPage, rootOf } from './page-frame.ts';
import { problemPage } from './problem-page.ts';
import { HTML_TYPE, htmlAnswer } from './view.ts';

/** The result of a form: the next page of its reader, or a page with content that is shown only once. */
export type FormEnd = { readonly to: string } | { readonly page: HubPage };

/**
 * A button of a page: it does what one route of the API does, for people who are signed in or for anyone.
 *
 *     { path: '/sources/:id/pause', role: 'operate', does: 'POST /api/v1/sources/:id/pause', done: 'The source is paused.', … }
 */
export interface Form {
  /** Where it is sent, below the hub. Its names are those of the line of the API. */
  readonly path: string;
  /** Who may send it. Absent: anyone, and the route of the API is called as an anonymous client. */
  readonly role?: Role;
  /** The line of the API, as the table of routes has it. */
  readonly does: `${'POST' | 'PATCH' | 'DELETE'} /api/v1/${string}`;
  /** The JSON body that the API is given. Absent: none. */
  bodyOf?(fields: URLSearchParams): unknown;
  /** The next page of its reader: relative to the hub, without a leading slash. It declares the type of the answer of its API route. */
  end(asked: EndedForm): FormEnd;
  /** The sentence at the top of that page. */
  readonly done: string;
  /** The page shown if the API refuses: the form again, with the problem beside its fields. Absent: the text of the problem. */
  refused?(asked: RefusedForm): HubPage;
}

export interface RefusedForm extends FrameFacts {
  readonly fields: URLSearchParams;
  readonly problem: RefusalWords;
}

/** The part of a problem document for people. */
export interface RefusalWords {
  readonly detail: string;
  /** The permanent name of the error. */
  readonly code?: string;
  /** The setting that is wrong: `id`, `ignore[2]`. */
  readonly setting?: string;
}

export interface EndedForm<Answer = unknown> extends FrameFacts {
  readonly params: HubRequest['params'];
  readonly fields: URLSearchParams;
  /** The JSON of the API. */
  readonly answer: Answer;
}

export interface FormParts {
  readonly viewers: Viewers;
  readonly frame: Framer;
  /** The routes of the API, read when a form is sent. */
  readonly routes: () => readonly Route[];
  /** Where readers find the hub. */
  readonly baseUrl?: () => string;
}

const MAX_BYTES = 256 * 1024;

/** The word after `?done=` of a form, and its sentence. */
export function doneWords(forms: readonly Form[]): Readonly<Record<string, string>> {
  return Object.fromEntries(forms.map((form) => [doneWord(form), form.done]));
}

export function formRoutes(forms: readonly Form[], parts: FormParts): Route[] {
  return forms.map((form) => ({
    method: 'POST',
    path: form.path,
    access: 'open',
    wantsBytes: true,
    bodyBytes: MAX_BYTES,
    summary: `HTML form for ${form.does}.`,
    responses: { 200: 'A page with the result.', 303: 'Done.', 403: 'Not signed in, or not allowed.' },
    answer: { mediaType: HTML_TYPE },
    handle: (request) => send(form, request, parts),
  }));
}

async function send(form: Form, request: HubRequest, parts: FormParts): Promise<HubResponse> {
  const { viewers, frame, routes, baseUrl } = parts;
  const viewer = viewers.viewerOf(request);
  const { params, query, headers } = request;
  const asked = { root: rootOf(form.path), query, viewer };
  const fields = formFields(request);
  const refusal = refusalOf(form, { headers, fields, viewer, baseUrl: baseUrl?.() });
  if (refusal !== undefined) return htmlAnswer(refusal.status, frame(problemPage(refusal, asked.root), asked));

  const route = routes().find(({ method, path }) => `${method} ${path}` === form.does);
  if (route === undefined) return htmlAnswer(NOT_HERE.status, frame(problemPage(NOT_HERE, asked.root), asked));
  const body = form.bodyOf?.(fields);
  const isAdmin = form.role !== undefined;
  const answer = await route.handle(asApiRequest(request, { method: route.method, body, by: viewer.name, isAdmin }));
  if (answer.status >= 400) {
    const page = form.refused?.({ ...asked, fields, problem: refusalWords(answer) }) ?? problemPage(answer, asked.root);
    const said = htmlAnswer(answer.status, frame(page, asked));
    return answer.error === undefined ? said : { ...said, error: answer.error };
  }
  const end = form.end({ ...asked, params, fields, answer: jsonOf(answer) });
  const { 'set-cookie': cookie } = answer.headers;
  const cookies: Record<string, string> = cookie === undefined ? {} : { 'set-cookie': cookie };
  if ('page' in end) return htmlAnswer(200, frame(end.page, asked), cookies);
  const separator = end.to.includes('?') ? '&' : '?';
  const location = `${asked.root}${end.to}${separator}done=${doneWord(form)}`;
  return { status: 303, headers: { location, 'cache-control': 'no-store', ...cookies } };
}

/** The hidden field of a form. */
export function tokenOf({ formToken = '' }: Viewer): { readonly name: string; readonly value: string } {
  return { name: TOKEN_FIELD, value: formToken };
}

interface Sent {
  readonly headers: HubRequest['headers'];
  readonly fields: URLSearchParams;
  readonly viewer: Viewer;
  readonly baseUrl: string | undefined;
}

/** Another site can make a browser send a form with its cookie, but it neither knows the token nor can hide its origin. */
function refusalOf({ role }: Form, { headers, fields, viewer, baseUrl }: Sent): HubResponse | undefined {
  if (isFromElsewhere({ headers }, baseUrl)) return FROM_ELSEWHERE;
  if (role === undefined) return undefined;
  if (viewer.role === undefined) return SIGN_IN;
  if (!isSameToken(fields.get(TOKEN_FIELD) ?? '', viewer.formToken ?? '')) return FROM_ELSEWHERE;
  if (mayAct(viewer, role)) return undefined;
  return problem({ status: 403, detail: `This needs the role "${role}"; yours is "${viewer.role}".` });
}

const SIGN_IN = problem({
  status: 403,
  detail: 'You are not signed in, or your session has ended. Sign in and send it again.',
});
/** Lines of the API come and go with the settings of a hub; forms are there always. */
const NOT_HERE = problem({
  status: 404,
  detail: 'This hub does not do that: it is switched off in its settings.',
});
export const FROM_ELSEWHERE = problem({
  status: 403,
  detail: 'This form did not come from a page of this session. Load the page again and send it from there.',
});

interface ApiFields extends Pick<HubRequest, 'method' | 'body' | 'by' | 'isAdmin'> {}

/** The same request as the API would get it from an owner of the token, or from anyone. */
function asApiRequest(request: HubRequest, { method, body, by, isAdmin }: ApiFields): HubRequest {
  const { params, clientIp, signal, headers } = request;
  return { method, params, clientIp, signal, headers, body, query: new URLSearchParams(), isAdmin, by };
}

function jsonOf({ body }: HubResponse): unknown {
  return typeof body === 'string' && body !== '' ? JSON.parse(body) : undefined;
}

function refusalWords({ body }: HubResponse): RefusalWords {
  const { detail, code, setting } = typeof body === 'string' ? JSON.parse(body) : {};
  const textOr = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const [named, at] = [textOr(code), textOr(setting)];
  return {
    detail: textOr(detail) ?? 'The hub could not do it.',
    ...(named !== undefined && { code: named }),
    ...(at !== undefined && { setting: at }),
  };
}

function doneWord({ path }: Form): string {
  return path
    .replace(/:\w+/g, '')
    .replace(/[^a-z]+/gi, '-')
    .replace(/^-|-$/g, '');
}
