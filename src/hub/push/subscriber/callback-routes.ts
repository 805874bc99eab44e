import { HUB_SIGNATURE_HEADER, verifyHubSignature } from '../../../codecs/websub/signature.ts';
import { withProblems } from '../../http/api-problems.ts';
import { problem } from '../../http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../../http/route.ts';
import { clientOfAddress } from '../../keys/client-address.ts';
import type { RateLimiter } from '../../keys/rate-limiter.ts';
import type { Subscriber } from './subscriber.ts';

/** Relative to the address of the hub. */
export const CALLBACK_PATH = 'websub';

const ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The secret part of the path.',
  schema: { type: 'string' },
} as const;
/** A longer feed is not accepted as a push; the next check finds it. */
const BODY_BYTES = 4 * 1024 * 1024;
/** How many requests per minute of one client may go to unknown callbacks. */
const UNKNOWN_PER_MINUTE = 60;
/** How many deliveries per minute one callback accepts. */
const DELIVERIES_PER_MINUTE = 120;

/** The answer repeats what a stranger has sent: no browser may treat it as more than text. */
const PLAIN = {
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-store',
};

export interface CallbackParts {
  readonly subscriber: Pick<Subscriber, 'challenged' | 'delivered' | 'refusal'>;
  /** Called for each delivery that is refused. */
  readonly onRefused: (word: 'gone' | 'unknown') => void;
  readonly limiter: RateLimiter;
}

/** Where hubs confirm our subscriptions and deliver news. */
export function callbackRoutes(parts: CallbackParts): Route[] {
  const path = `/${CALLBACK_PATH}/:id`;
  return [
    {
      method: 'GET',
      path,
      access: 'open',
      summary: 'For WebSub hubs: verify or deny a subscription of this hub.',
      parameters: [ID, ...['hub.mode', 'hub.topic', 'hub.challenge', 'hub.lease_seconds', 'hub.reason'].map(queryText)],
      withoutHead: true,
      responses: { 200: 'Confirmed: the challenge.', 404: 'There is no such subscription.', 429: TOO_MANY },
      answer: { mediaType: PLAIN['content-type'] },
      handle: withProblems((request) => answerHub(request, parts)),
    },
    {
      method: 'POST',
      path,
      access: 'open',
      summary: 'For WebSub hubs: deliver an update. The source is then checked.',
      parameters: [ID],
      wantsBytes: true,
      bodyBytes: BODY_BYTES,
      // Before the body is read, so that nobody fills our memory through an unknown path.
      guard: (_headers, { id = '' }) => refusedDelivery(id, parts),
      responses: {
        200: 'Received.',
        404: 'There is no such subscription.',
        410: 'The subscription has ended.',
        413: 'The body is too long.',
        429: TOO_MANY,
        503: 'The hub cannot write to its disk now.',
      },
      answer: { mediaType: PLAIN['content-type'] },
      handle: withProblems((request) => takeDelivery(request, parts)),
    },
  ];
}

async function answerHub(request: HubRequest, parts: CallbackParts): Promise<HubResponse> {
  const { params, query } = request;
  const refusal = refusedFor(request, parts);
  if (refusal !== undefined) return refusal;
  // A callback may have parameters with these names itself; those of the hub come after them.
  const last = (name: string) => query.getAll(`hub.${name}`).at(-1);
  const answer = await parts.subscriber.challenged(params.id ?? '', {
    mode: last('mode'),
    topic: last('topic'),
    challenge: last('challenge'),
    leaseSeconds: last('lease_seconds'),
    reason: last('reason'),
  });
  if (answer.is === 'refused') return unknown(request, parts);
  return { status: 200, headers: PLAIN, body: answer.is === 'agreed' ? answer.challenge : '' };
}

async function takeDelivery(
  { params: { id = '' }, headers, body }: HubRequest,
  parts: CallbackParts,
): Promise<HubResponse> {
  const { isAllowed, leftMs } = parts.limiter.take(`callback ${id}`, DELIVERIES_PER_MINUTE);
  if (!isAllowed) return tooMany(leftMs);
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  await parts.subscriber.delivered(id, (secret) => {
    const verdict = verifyHubSignature(headers[HUB_SIGNATURE_HEADER], { secret }, bytes);
    return verdict.ok || verdict.issues[0].message;
  });
  // The same answer if it is forged, so that a forger learns nothing.
  return { status: 200, headers: PLAIN, body: '' };
}

function refusedDelivery(id: string, { subscriber, onRefused }: CallbackParts): HubResponse | undefined {
  const refusal = subscriber.refusal(id);
  if (refusal === undefined) return undefined;
  onRefused(refusal);
  if (refusal === 'gone') return problem({ status: 410, detail: 'This subscription is over.' });
  return problem({ status: 404, detail: NONE });
}

const NONE = 'This hub has no such subscription.';
const TOO_MANY = 'Too many requests in a minute; see Retry-After.';

/** Repeated requests for unknown callbacks may be guesses. */
function refusedFor({ clientIp }: HubRequest, { limiter }: CallbackParts): HubResponse | undefined {
  const { remaining, leftMs } = limiter.look(unknownOf(clientIp), UNKNOWN_PER_MINUTE);
  return remaining > 0 ? undefined : tooMany(leftMs);
}

function unknown({ clientIp }: HubRequest, { limiter }: CallbackParts): HubResponse {
  limiter.take(unknownOf(clientIp), UNKNOWN_PER_MINUTE);
  return problem({ status: 404, detail: NONE });
}

function unknownOf(clientIp: string): string {
  return `unknown ${clientOfAddress(clientIp)}`;
}

function tooMany(leftMs: number): HubResponse {
  const seconds = Math.ceil(leftMs / 1000);
  return problem({ status: 429, detail: `Ask again in ${seconds} s.` }, { 'retry-after': String(seconds) });
}

function queryText(name: string) {
  return { name, in: 'query', description: 'As defined by WebSub.', schema: { type: 'string' } } as const;
}
