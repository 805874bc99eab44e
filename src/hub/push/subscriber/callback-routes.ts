import { HUB_SIGNATURE_HEADER, verifyHubSignature } from '../../../codecs/websub/signature.ts';
import { withProblems } from '../../http/api-problems.ts';
import { problem } from '../../http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../../http/route.ts';
import { clientOfAddress } from '../../keys/client-address.ts';
import type { RateLimiter } from '../../keys/rate-limiter.ts';
import type { Subscriber } from './subscriber.ts';

/** Below the address of the hub. */
export const CALLBACK_PATH = 'websub';

const ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The part of the path that nobody can guess.',
  schema: { type: 'string' },
} as const;
/** A feed that is longer is not pushed to us; it is found by the next look. */
const BODY_BYTES = 4 * 1024 * 1024;
/** Of one client, so many requests a minute may lead nowhere. */
const UNKNOWN_PER_MINUTE = 60;
/** To one callback, so many deliveries a minute are weighed. */
const DELIVERIES_PER_MINUTE = 120;

/** What comes back is what a stranger has sent: no browser may take it for more than text. */
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

/** Where hubs confirm our subscriptions, and tell us of news. */
export function callbackRoutes(parts: CallbackParts): Route[] {
  const path = `/${CALLBACK_PATH}/:id`;
  return [
    {
      method: 'GET',
      path,
      access: 'open',
      summary: 'A WebSub hub asks whether this hub has subscribed, or says that it may not.',
      parameters: [ID, ...['hub.mode', 'hub.topic', 'hub.challenge', 'hub.lease_seconds', 'hub.reason'].map(queryText)],
      withoutHead: true,
      responses: { 200: 'It has: the challenge.', 404: 'It has not.', 429: TOO_MANY },
      answer: { mediaType: PLAIN['content-type'] },
      handle: withProblems((request) => answerHub(request, parts)),
    },
    {
      method: 'POST',
      path,
      access: 'open',
      summary: 'A WebSub hub tells of news: their source is looked at.',
      parameters: [ID],
      wantsBytes: true,
      bodyBytes: BODY_BYTES,
      // Before its body is read: nobody fills our memory at a path that leads nowhere.
      guard: (_headers, { id = '' }) => refusedDelivery(id, parts),
      responses: {
        200: 'It has arrived.',
        404: 'There is no such subscription.',
        410: 'The subscription is over.',
        413: 'It is too long.',
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
  // A callback may have parameters of these names itself; those of the hub stand behind them.
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
  // Also where it is not the hub's: who forges it learns nothing.
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

/** Who asks for what is not there again and again may be guessing. */
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
  return { name, in: 'query', description: 'As WebSub has it.', schema: { type: 'string' } } as const;
}
