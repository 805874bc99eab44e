import { TidingsError } from '../../../errors/tidings-error.ts';
import { errorProblem } from '../../http/error-problem.ts';
import type { HubRequest, HubResponse, Route } from '../../http/route.ts';
import { clientOfAddress } from '../../keys/client-address.ts';
import type { RateLimiter } from '../../keys/rate-limiter.ts';
import { type AdminLog, SIGNED_IN, SIGNED_OUT } from '../../sign-in/admin-log.ts';
import type { HubCookie } from '../../sign-in/hub-cookie.ts';
import {
  formFields,
  formTokenOf,
  isFromElsewhere,
  isSameText,
  isSameToken,
  TOKEN_FIELD,
} from '../../sign-in/own-form.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import { wayBack } from '../../sign-in/way-back.ts';
import { FROM_ELSEWHERE } from '../form.ts';
import type { Framer } from '../page-frame.ts';
import { problemPage } from '../problem-page.ts';
import { HTML_TYPE, htmlAnswer } from '../view.ts';
import { signInPage } from './sign-in-page.ts';

export interface SignInParts {
  readonly sessions: Pick<Sessions, 'viewerOf' | 'sessionOf' | 'begin' | 'end'>;
  readonly log: Pick<AdminLog, 'record' | 'refused'>;
  readonly frame: Framer;
  /** Of those sessions. */
  readonly sessionCookie: Pick<HubCookie, 'clear'>;
  /** Marks a browser in which nobody is signed in yet, so that no other site can sign it in. */
  readonly visitCookie: HubCookie;
  /** New at each start, or shared by the processes of a hub. */
  readonly secret: Uint8Array;
  /** Counts wrong tokens by client address. */
  readonly limiter: RateLimiter;
  /** Takes the same time for each wrong token. */
  isToken(token: string): boolean;
  /** The ground of sessions with the token. */
  readonly tokenGround: string;
  /** The name of the team's provider, if there is one. */
  readonly provider?: string | undefined;
  random(size: number): Uint8Array;
  baseUrl(): string;
}

const SIGN_IN = '/sign-in';
const SIGN_OUT = '/sign-out';
const ROOT = './';
const MAX_BYTES = 16 * 1024;
/** The maximum of wrong tokens per client. */
const WRONG_A_MINUTE = 10;
const VISIT_BYTES = 16;
const VISIT = /^[\w-]{22}$/;
/** The name of people who use the hub's token. */
const TOKEN_NAME = 'admin token';
/** The sentences for `?done=`. */
export const SIGN_IN_WORDS = { 'signed-out': 'You are signed out.' };

export function signInRoutes(parts: SignInParts): Route[] {
  return [
    {
      method: 'GET',
      path: SIGN_IN,
      access: 'open',
      summary: 'The sign-in page.',
      parameters: [
        { name: 'to', in: 'query', description: 'The path on the hub to return to.', schema: { type: 'string' } },
      ],
      responses: { 200: 'The page.' },
      answer: { mediaType: HTML_TYPE },
      handle: (request) => showForm(request, parts, { status: 200, to: wayBack(request.query.get('to')) }),
    },
    {
      ...FORM_ROUTE,
      path: SIGN_IN,
      summary: 'HTML form to sign in with the hub’s token.',
      responses: {
        303: 'Signed in.',
        403: 'The token is wrong, or the form was sent from another site.',
        429: 'Too many attempts.',
      },
      handle: (request) => withProblemPage(request, parts, () => signIn(request, parts)),
    },
    {
      ...FORM_ROUTE,
      path: SIGN_OUT,
      summary: 'HTML form to sign out.',
      responses: { 303: 'Signed out.', 403: 'The form was sent from another site.' },
      handle: (request) => withProblemPage(request, parts, () => signOut(request, parts)),
    },
  ];
}

const FORM_ROUTE = {
  method: 'POST',
  access: 'open',
  wantsBytes: true,
  bodyBytes: MAX_BYTES,
  answer: { mediaType: HTML_TYPE },
} as const;

interface Shown {
  readonly status: number;
  readonly to: string;
  readonly trouble?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function showForm(request: HubRequest, parts: SignInParts, { status, to, trouble, headers }: Shown): HubResponse {
  const { frame, sessions, visitCookie } = parts;
  const known = visitOf(request, parts);
  const visit = known ?? Buffer.from(parts.random(VISIT_BYTES)).toString('base64url');
  const facts = { root: ROOT, query: request.query, viewer: sessions.viewerOf(request) };
  const formToken = { name: TOKEN_FIELD, value: formTokenOf(parts.secret, visit) };
  const page = signInPage({
    ...facts,
    to,
    formToken,
    provider: parts.provider,
    ...(trouble !== undefined && { trouble }),
  });
  const marked: Record<string, string> = known === undefined ? { 'set-cookie': visitCookie.set(visit) } : {};
  return htmlAnswer(status, frame(page, facts), { ...marked, ...headers });
}

function visitOf({ headers }: HubRequest, { visitCookie }: SignInParts): string | undefined {
  return visitCookie.valuesIn(headers.cookie).find((value) => VISIT.test(value));
}

async function signIn(request: HubRequest, parts: SignInParts): Promise<HubResponse> {
  const { limiter, sessions, isToken, tokenGround } = parts;
  const fields = formFields(request);
  const to = wayBack(fields.get('to'));
  const visit = visitOf(request, parts);
  const isOwn = visit !== undefined && isSameText(fields.get(TOKEN_FIELD) ?? '', formTokenOf(parts.secret, visit));
  if (isFromElsewhere(request, parts.baseUrl()) || !isOwn)
    return showForm(request, parts, { status: 403, to, trouble: NOT_OWN });

  const from = clientOfAddress(request.clientIp);
  const { remaining, leftMs } = limiter.look(from, WRONG_A_MINUTE);
  if (remaining === 0) {
    const seconds = String(Math.ceil(leftMs / 1000));
    const trouble = `Too many wrong tokens came from your address. Try again in ${seconds} s.`;
    return showForm(request, parts, { status: 429, to, trouble, headers: { 'retry-after': seconds } });
  }
  if (!isToken(fields.get('token') ?? '')) {
    limiter.take(from, WRONG_A_MINUTE);
    await parts.log.refused(from);
    return showForm(request, parts, { status: 403, to, trouble: WRONG });
  }

  await endOwn(request, parts);
  const cookie = await sessions.begin({ name: TOKEN_NAME, role: 'admin', way: 'token', ground: tokenGround, from });
  await parts.log.record({ who: TOKEN_NAME, action: SIGNED_IN, from });
  return leadTo(to, cookie);
}

async function signOut(request: HubRequest, parts: SignInParts): Promise<HubResponse> {
  const { sessions, frame, baseUrl } = parts;
  const viewer = sessions.viewerOf(request);
  const isOwn = isSameToken(formFields(request).get(TOKEN_FIELD) ?? '', viewer.formToken ?? '');
  if (isFromElsewhere(request, baseUrl()) || (viewer.role !== undefined && !isOwn)) {
    return htmlAnswer(403, frame(problemPage(FROM_ELSEWHERE, ROOT), { root: ROOT, query: request.query, viewer }));
  }
  await endOwn(request, parts);
  if (viewer.name !== undefined) {
    await parts.log.record({ who: viewer.name, action: SIGNED_OUT, from: clientOfAddress(request.clientIp) });
  }
  return leadTo('?done=signed-out', parts.sessionCookie.clear());
}

/** A browser has one session: what it had before ends with another one. */
async function endOwn(request: HubRequest, { sessions }: SignInParts): Promise<void> {
  const own = sessions.sessionOf(request);
  if (own !== undefined) await sessions.end(({ hash }) => hash === own.hash);
}

function leadTo(to: string, cookie: string): HubResponse {
  return { status: 303, headers: { location: `${ROOT}${to}`, 'cache-control': 'no-store', 'set-cookie': cookie } };
}

/** A write that the disk refuses is explained on a page. */
async function withProblemPage(
  request: HubRequest,
  { frame, sessions }: SignInParts,
  work: () => Promise<HubResponse>,
): Promise<HubResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    const answer = errorProblem(error);
    const asked = { root: ROOT, query: request.query, viewer: sessions.viewerOf(request) };
    return { ...htmlAnswer(answer.status, frame(problemPage(answer, ROOT), asked)), error };
  }
}

const NOT_OWN =
  'This form did not come from this page, or your browser keeps no cookies. Nothing was done; send it from here.';
const WRONG = 'This is not the hub’s token.';
