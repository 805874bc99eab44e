import { formatTime } from '../../codecs/primitives/time.ts';
import { fieldsOf, refused, text, wholeNumberIn } from '../config/setting-decoders.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import { slots } from '../http/slots.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import { clientOfAddress } from '../keys/client-address.ts';
import type { RateLimiter } from '../keys/rate-limiter.ts';
import type { ClosedDomains } from '../owners/closed-domains.ts';
import type { DomainClaims } from '../owners/domain-claims.ts';
import type { DomainOwners } from '../owners/domain-owners.ts';
import { isFromElsewhere } from '../sign-in/own-form.ts';
import type { WatchedSource } from '../store/hub-store.ts';

export interface OwnerRoutesParts {
  readonly owners: DomainOwners;
  readonly claims: DomainClaims;
  readonly closed: ClosedDomains;
  /** Per hour: looking for a token asks DNS and a web server. */
  readonly limiter: RateLimiter;
  readonly minIntervalSeconds: number;
  /** The public base URL of the hub. */
  baseUrl(): string;
}

const OWNERS = '/api/v1/owners';
const CHECKS_PER_HOUR = 60;
const CHECKS_AT_ONCE = 4;
const MAX_DOMAIN = 300;
const MAX_INTERVAL = 30 * 86_400;
const TEXT = { type: 'string' };
const SOURCE_ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the source.',
  schema: TEXT,
} as const;
const DOMAIN_BODY = { type: 'object', required: ['domain'], properties: { domain: TEXT }, additionalProperties: false };
const RESPONSES = {
  400: 'The body is not as described; detail names the key.',
  401: 'No domain is proven in this browser.',
  403: 'The request came from a page of another site.',
};
const ACT_RESPONSES = {
  ...RESPONSES,
  404: 'There is no such source on a domain that was proven in this browser in the last hour.',
  409: 'Somebody else paused the source, or it is defined in the config file.',
  503: 'The hub cannot write to its disk now.',
};
const STANDING = {
  type: 'object',
  required: ['id', 'isPaused'],
  properties: { id: TEXT, isPaused: { type: 'boolean' }, intervalSeconds: { type: 'integer' } },
};

/** For owners of a watched domain: they prove their ownership, and control how it is watched. */
export function ownerRoutes(parts: OwnerRoutesParts): Route[] {
  return [
    tokenRoute(parts),
    checkRoute(parts),
    ...pauseRoutes(parts),
    intervalRoute(parts),
    removeRoute(parts),
    ...adminRoutes(parts),
  ];
}

function tokenRoute(parts: OwnerRoutesParts): Route {
  const { owners, claims } = parts;
  return {
    method: 'POST',
    path: `${OWNERS}/token`,
    access: 'open',
    summary: 'Get the TXT record or file to publish as proof of a domain. Valid only for this browser and this hub.',
    requestBody: DOMAIN_BODY,
    responses: {
      200: 'Both ways to prove the domain; one is enough. The proof is bound to the cookie that is set.',
      ...RESPONSES,
    },
    answer: { mediaType: JSON_TYPE, schema: { type: 'object', required: ['domain', 'dns', 'file'] } },
    handle: ownHandle(parts, (request) => {
      const known = claims.visitorOf(request);
      const begun = known === undefined ? claims.begin() : undefined;
      const publication = owners.publicationFor(known ?? begun?.visitor ?? '', domainIn(request));
      return uncachedJson(200, publication, begun === undefined ? {} : { 'set-cookie': begun.cookie });
    }),
  };
}

function checkRoute(parts: OwnerRoutesParts): Route {
  const { owners, limiter } = parts;
  const inSlot = slots(CHECKS_AT_ONCE, 'domains are looked at');
  return {
    method: 'POST',
    path: `${OWNERS}/check`,
    access: 'open',
    summary:
      'Check whether the proof of a domain is published. If it is, this browser may manage the watched sources of the domain for an hour.',
    requestBody: DOMAIN_BODY,
    responses: { 200: 'What was found, and where.', ...RESPONSES, 429: 'Too many checks; see Retry-After.' },
    answer: { mediaType: JSON_TYPE, schema: { type: 'object', required: ['domain', 'verified', 'remedy'] } },
    handle: visitorHandle(parts, (request, visitor) => {
      const domain = domainIn(request);
      return inSlot(async () => {
        const refusal = tooOften(limiter, request);
        if (refusal !== undefined) return refusal;
        const { issuedAt: _, ...report } = await owners.prove(visitor, domain, request.signal);
        return uncachedJson(200, report);
      });
    }),
  };
}

const ACT = { access: 'open', parameters: [SOURCE_ID], answer: { mediaType: JSON_TYPE, schema: STANDING } } as const;

function pauseRoutes(parts: OwnerRoutesParts): Route[] {
  const { owners } = parts;
  return [
    {
      ...ACT,
      method: 'POST',
      path: `${OWNERS}/sources/:id/pause`,
      summary: 'Pause a source on a proven domain. Only the owner of the domain or the operator can resume it.',
      responses: { 200: 'The source is paused.', ...ACT_RESPONSES },
      handle: actHandle(parts, async ({ params }, visitor) => standing(await owners.pause(visitor, params.id ?? ''))),
    },
    {
      ...ACT,
      method: 'POST',
      path: `${OWNERS}/sources/:id/resume`,
      summary: 'Resume a source that the owner of its domain paused.',
      responses: { 200: 'The source is checked again.', ...ACT_RESPONSES },
      handle: actHandle(parts, async ({ params }, visitor) => standing(await owners.resume(visitor, params.id ?? ''))),
    },
  ];
}

function intervalRoute(parts: OwnerRoutesParts): Route {
  const { owners, minIntervalSeconds } = parts;
  return {
    ...ACT,
    method: 'POST',
    path: `${OWNERS}/sources/:id/interval`,
    summary: 'Set how often a source on a proven domain is checked.',
    requestBody: {
      type: 'object',
      required: ['intervalSeconds'],
      properties: { intervalSeconds: { type: 'integer', minimum: minIntervalSeconds, maximum: MAX_INTERVAL } },
      additionalProperties: false,
    },
    responses: { 200: 'The interval is changed.', ...ACT_RESPONSES },
    handle: actHandle(parts, async ({ params, body }, visitor) => {
      const shape = { intervalSeconds: wholeNumberIn(minIntervalSeconds, MAX_INTERVAL) };
      const { intervalSeconds } = fieldsOf(shape, body ?? {}, '');
      if (intervalSeconds === undefined) throw refused('intervalSeconds', undefined, 'Give a number of seconds.');
      return standing(await owners.quicken(visitor, params.id ?? '', intervalSeconds));
    }),
  };
}

function removeRoute(parts: OwnerRoutesParts): Route {
  const { owners } = parts;
  return {
    method: 'DELETE',
    path: `${OWNERS}/sources/:id`,
    access: 'open',
    parameters: [SOURCE_ID],
    summary:
      'Remove a source on a proven domain. The proof is checked once more, and visitors cannot request the domain again.',
    responses: {
      204: 'The source is removed. A source from the config file is paused instead.',
      ...ACT_RESPONSES,
      429: 'Too many checks; see Retry-After.',
    },
    handle: actHandle(parts, async (request, visitor) => {
      await owners.remove(visitor, request.params.id ?? '', request.signal);
      return { status: 204, headers: { 'cache-control': 'no-store' } };
    }),
  };
}

function adminRoutes({ claims, closed }: OwnerRoutesParts): Route[] {
  return [
    {
      method: 'GET',
      path: `${OWNERS}/closed`,
      access: 'admin',
      summary: 'List the domains whose owners removed a source. Visitors cannot request them.',
      responses: { 200: 'The domains.' },
      answer: { mediaType: JSON_TYPE, schema: { type: 'object', required: ['domains'] } },
      handle: () =>
        uncachedJson(200, {
          domains: closed.all().map(({ domain, atMs }) => ({ domain, closedAt: formatTime(atMs) })),
        }),
    },
    {
      method: 'DELETE',
      path: `${OWNERS}/closed/:domain`,
      access: 'admin',
      parameters: [
        { name: 'domain', in: 'path', required: true, description: 'The domain, as in the list.', schema: TEXT },
      ],
      summary: 'Let visitors request a domain again, against the wish of its owner. Existing proofs of the domain end.',
      responses: { 204: 'Visitors can request the domain again.', 404: 'The domain is not in the list.' },
      handle: withProblems(async ({ params: { domain = '' } }) => {
        claims.endProofs(domain);
        if (await closed.open(domain)) return { status: 204, headers: { 'cache-control': 'no-store' } };
        return problem({ status: 404, detail: 'This domain is not closed.' });
      }),
    },
  ];
}

type Handle = (request: HubRequest) => HubResponse | Promise<HubResponse>;

/** A page of another site must not make the browser of an owner send requests. */
function ownHandle({ baseUrl }: OwnerRoutesParts, handle: Handle): Route['handle'] {
  return withProblems((request) => (isFromElsewhere(request, baseUrl()) ? ELSEWHERE : handle(request)));
}

/** Actions are counted, because each is reported to the operator. */
function actHandle(
  parts: OwnerRoutesParts,
  act: (request: HubRequest, visitor: string) => Promise<HubResponse>,
): Route['handle'] {
  return visitorHandle(parts, (request, visitor) => tooOften(parts.limiter, request) ?? act(request, visitor));
}

function visitorHandle(
  parts: OwnerRoutesParts,
  handle: (request: HubRequest, visitor: string) => HubResponse | Promise<HubResponse>,
): Route['handle'] {
  return ownHandle(parts, (request) => {
    const visitor = parts.claims.visitorOf(request);
    return visitor === undefined ? NO_CLAIM : handle(request, visitor);
  });
}

const ELSEWHERE = problem({
  status: 403,
  detail: 'This came from a page of another site. Send it from a page of this hub.',
});
const NO_CLAIM = problem({
  status: 401,
  detail: 'This browser claims no domain, or its claim is over. Ask for a record to publish first; cookies must be on.',
});

function domainIn({ body }: HubRequest): string {
  const { domain } = fieldsOf({ domain: text(MAX_DOMAIN) }, body ?? {}, '');
  if (domain === undefined) throw refused('domain', undefined, 'Give the name of a domain, like docs.example.com.');
  return domain;
}

function tooOften(limiter: RateLimiter, { clientIp }: HubRequest): HubResponse | undefined {
  const { isAllowed, leftMs } = limiter.take(clientOfAddress(clientIp), CHECKS_PER_HOUR);
  if (isAllowed) return undefined;
  const detail = `One client may have domains looked at, and what is watched of them changed, ${CHECKS_PER_HOUR} times an hour.`;
  return problem({ status: 429, detail }, { 'retry-after': String(Math.ceil(leftMs / 1000)) });
}

function standing({ config, paused }: WatchedSource): HubResponse {
  const { id, intervalSeconds } = config;
  return uncachedJson(200, {
    id,
    isPaused: paused !== undefined,
    ...(intervalSeconds !== undefined && { intervalSeconds }),
  });
}
