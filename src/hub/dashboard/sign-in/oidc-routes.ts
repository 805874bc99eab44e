import { SignInError } from '../../../errors/sign-in-error.ts';
import { html, outsideText } from '../../http/html.ts';
import type { HubRequest, HubResponse, Route } from '../../http/route.ts';
import { clientOfAddress } from '../../keys/client-address.ts';
import type { RateLimiter } from '../../keys/rate-limiter.ts';
import { type AdminLog, SIGNED_IN } from '../../sign-in/admin-log.ts';
import type { HubCookie } from '../../sign-in/hub-cookie.ts';
import type { OidcProvider } from '../../sign-in/oidc-provider.ts';
import { claimedName, groupsIn, type RoleNames, roleByGroups } from '../../sign-in/oidc-roles.ts';
import { type SealedVisits, VISIT_SECONDS } from '../../sign-in/sealed-visit.ts';
import type { NewSession, Sessions } from '../../sign-in/sessions.ts';
import { mayAct, NOBODY } from '../../sign-in/viewer.ts';
import { wayBack } from '../../sign-in/way-back.ts';
import type { Framer, HubPage } from '../page-frame.ts';
import { HTML_TYPE, htmlAnswer } from '../view.ts';

export interface OidcParts {
  readonly provider: OidcProvider;
  readonly issuer: string;
  readonly roleClaim: string;
  readonly roles: RoleNames;
  /** The ground of sessions of this provider. */
  readonly ground: string;
  readonly visits: SealedVisits;
  readonly visitCookie: HubCookie;
  readonly sessions: Pick<Sessions, 'sessionOf' | 'begin' | 'end'>;
  readonly log: Pick<AdminLog, 'record' | 'refused'>;
  readonly limiter: RateLimiter;
  readonly frame: Framer;
  baseUrl(): string;
  /** Called with what an operator should look at. */
  onProblem(error: SignInError): void;
}

const BEGIN = '/sign-in/oidc';
const CALLBACK = '/sign-in/callback';
const ROOT = '../';
const BEGUN_A_MINUTE = 30;

/** The way to the provider of the team, and back. A HEAD would use up what a GET is for. */
export function oidcRoutes(parts: OidcParts): Route[] {
  const shared = { method: 'GET', access: 'open', withoutHead: true, answer: { mediaType: HTML_TYPE } } as const;
  return [
    {
      ...shared,
      path: BEGIN,
      summary: 'Redirect to the OpenID provider.',
      parameters: [
        { name: 'to', in: 'query', description: 'The path on the hub to return to.', schema: { type: 'string' } },
      ],
      responses: { 303: 'Redirect to the provider.', 429: 'Too many attempts.', 502: 'The provider cannot be used.' },
      handle: (request) => withTrouble(parts, () => begin(request, parts)),
    },
    {
      ...shared,
      path: CALLBACK,
      summary: 'The redirect URI for the OpenID provider.',
      responses: { 303: 'Signed in.', 403: 'Not signed in; the page says why.', 502: 'The provider cannot be used.' },
      handle: (request) => withTrouble(parts, () => finish(request, parts)),
    },
  ];
}

async function begin({ query, clientIp }: HubRequest, parts: OidcParts): Promise<HubResponse> {
  const { provider, visits, visitCookie, limiter } = parts;
  const { isAllowed, leftMs } = limiter.take(clientOfAddress(clientIp), BEGUN_A_MINUTE);
  if (!isAllowed) {
    const seconds = String(Math.ceil(leftMs / 1000));
    const page = troublePage(`Too many sign-ins were begun from your address. Try again in ${seconds} s.`);
    return answerTrouble(429, page, parts, { 'retry-after': seconds });
  }
  const { visit, sealed } = visits.begin(wayBack(query.get('to')));
  const url = await provider.begin(visit, redirectUri(parts));
  return {
    status: 303,
    headers: {
      location: url.href,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'set-cookie': visitCookie.set(sealed, VISIT_SECONDS),
    },
  };
}

async function finish(request: HubRequest, parts: OidcParts): Promise<HubResponse> {
  const { query, headers, clientIp } = request;
  const { provider, visits, visitCookie, sessions, log, issuer, roles, ground } = parts;
  const state = query.get('state') ?? '';
  const [visit] = visitCookie.valuesIn(headers.cookie).flatMap((sealed) => visits.take(sealed, state) ?? []);
  if (visit === undefined) throw new SignInError(NOT_BEGUN, { recovery: 'fix-input' });

  const claims = await provider.finish(visit, new URL(`${redirectUri(parts)}?${query}`));
  const groups = groupsIn(claims, parts.roleClaim, roles);
  const role = roleByGroups(groups, roles);
  const name = claimedName(claims, issuer);
  const subject = String(claims.sub);
  // A person who lost a role at the provider loses it in other browsers too.
  const losesRole = (held: { readonly role: 'read' | 'operate' | 'admin' }) =>
    role === undefined || !mayAct({ role }, held.role);
  await sessions.end((held) => held.ground === ground && held.subject === subject && losesRole(held));
  const from = clientOfAddress(clientIp);
  if (role === undefined) {
    await log.refused(from, name);
    throw new SignInError(
      `You are known to the provider as ${name}, and no role of this hub is yours. Ask who runs the hub to give you one.`,
      { recovery: 'fix-input' },
    );
  }
  const before = sessions.sessionOf(request);
  if (before !== undefined) await sessions.end(({ hash }) => hash === before.hash);
  const session: NewSession = { name, role, way: 'oidc', ground, subject, groups, from };
  const cookie = await sessions.begin(session);
  await log.record({ who: name, action: SIGNED_IN, from });
  return {
    status: 303,
    headers: { location: `${ROOT}${visit.to}`, 'cache-control': 'no-store', 'set-cookie': cookie },
  };
}

function redirectUri({ baseUrl }: OidcParts): string {
  return `${baseUrl()}${CALLBACK.slice(1)}`;
}

const NOT_BEGUN =
  'This answer belongs to no sign-in of this browser: it was used before, took more than ten minutes, or another one was begun meanwhile.';

async function withTrouble(parts: OidcParts, work: () => Promise<HubResponse>): Promise<HubResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    if (error.recovery !== 'fix-input') parts.onProblem(error);
    return answerTrouble(error.recovery === 'fix-input' ? 403 : 502, troublePage(error.message), parts);
  }
}

function answerTrouble(
  status: number,
  page: HubPage,
  { frame }: OidcParts,
  headers: Readonly<Record<string, string>> = {},
): HubResponse {
  // The parameters of the provider are not needed on the page.
  return htmlAnswer(status, frame(page, { root: ROOT, query: new URLSearchParams(), viewer: NOBODY }), headers);
}

const MOST_WORDS = 500;

function troublePage(words: string): HubPage {
  return {
    title: 'You are not signed in',
    main: html`<div class="sign-in">
<h1>You are not signed in</h1>
<p class="trouble" role="alert">${outsideText(words, MOST_WORDS)}</p>
<p><a href="${ROOT}sign-in">Sign in again</a>, or <a href="${ROOT}">go to the overview</a>.</p>
</div>`,
  };
}
