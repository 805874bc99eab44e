import { type Decode, refused } from '../config/setting-decoders.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route, RouteParameter } from '../http/route.ts';
import { uncachedJson } from '../http/small-answer.ts';
import { apiKeyRecord } from '../keys/api-key.ts';
import { clientOfAddress } from '../keys/client-address.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { limitRoutes } from '../keys/limit-routes.ts';
import type { Payments, StandingEvent } from '../keys/payments.ts';
import { makeOwnLimiter, type RateLimiter } from '../keys/rate-limiter.ts';
import type { KeyParts } from './key-parts.ts';
import { NEW_KEY, viewNewKey } from './key-view.ts';

const CHECKOUT = '/api/v1/checkout';
const CLAIM = '/api/v1/key/claim';
const WEBHOOK = '/api/v1/payments/webhook';
const ASKED_PER_MINUTE = { free: 10, pro: 10, enterprise: 10 } as const;
const DAY_MS = 86_400_000;
const SIGNATURE_HEADER = 'stripe-signature';
const NOT_SOLD = 'This hub sells no keys.';
const NO_WRITE = 'The hub cannot write to its disk now.';

const SESSION_ID = /^[A-Za-z0-9_.-]{1,255}$/;
const SESSION_PARAMETER: RouteParameter = {
  name: 'session_id',
  in: 'query',
  required: true,
  description: 'The session id that the checkout returned.',
  schema: { type: 'string', pattern: SESSION_ID.source },
};

/** How to get a key without the admin. */
export function checkoutRoutes(parts: KeyParts): Route[] {
  const { payments, now, makeLimiter = makeOwnLimiter } = parts;
  const perDay = makeLimiter('claims', { now, windowMs: DAY_MS });
  const asked: Route[] = [
    {
      method: 'GET',
      path: CHECKOUT,
      access: 'open',
      withoutHead: true,
      summary: 'Redirect to the checkout for an API key. Feeds can be read without one.',
      responses: { 303: 'The checkout.', 404: NOT_SOLD, 502: 'The payment provider does not answer.' },
      handle: withProblems(() => (payments === undefined ? notSold() : checkout(payments, parts))),
    },
    {
      method: 'GET',
      path: CLAIM,
      access: 'open',
      withoutHead: true,
      summary: 'Get the API key of a paid checkout. It is shown once.',
      parameters: [SESSION_PARAMETER],
      responses: {
        200: 'The key. It is not shown again.',
        400: 'The session_id is missing, malformed or given twice.',
        402: 'The checkout is not paid.',
        404: `The session does not exist or has expired. Or: ${NOT_SOLD}`,
        410: 'The key of this session was already claimed.',
        502: 'The payment provider does not answer.',
        503: NO_WRITE,
      },
      answer: NEW_KEY,
      handle: withProblems((request) =>
        payments === undefined ? notSold() : claim(request, { ...parts, payments, perDay }),
      ),
    },
  ];
  return [
    ...limitRoutes(asked, { limiter: makeLimiter('checkout', { now }), perMinute: ASKED_PER_MINUTE }),
    {
      method: 'POST',
      path: WEBHOOK,
      access: 'open',
      wantsBytes: true,
      summary:
        'Webhook for the payment provider: a subscription is unpaid, is paid again, or has ended. Signed by the provider.',
      responses: {
        200: 'The event is processed, now or earlier.',
        400: 'The signature is missing, wrong or too old.',
        404: 'The payment provider of this hub sends no webhooks.',
        502: 'The payment provider does not answer.',
        503: NO_WRITE,
      },
      handle: withProblems((request) => hear(request, parts)),
    },
  ];
}

async function checkout(payments: Payments, { baseUrl }: KeyParts): Promise<HubResponse> {
  const hub = baseUrl();
  const claimUrl = `${hub}${CLAIM.slice(1)}?session_id={session_id}`;
  const place = await payments.checkout({ claimUrl, cancelUrl: hub });
  return { status: 303, headers: { location: place.href, 'cache-control': 'no-store' } };
}

interface ClaimParts extends KeyParts {
  readonly payments: Payments;
  /** Limits the free keys per client. */
  readonly perDay: RateLimiter;
}

async function claim(request: HubRequest, parts: ClaimParts): Promise<HubResponse> {
  const { keys, payments, perMinute, makeKey, now } = parts;
  const id = sessionIdOf(request.query);
  if (keys.isClaimed(id)) return claimed();
  const session = await payments.session(id);
  if (session === undefined) return problem({ status: 404, detail: 'There is no such session, or it is over.' });
  if (!session.isPaid) return problem({ status: 402, title: 'Payment Required', detail: 'This checkout is not paid.' });
  if (keys.isClaimed(id)) return claimed();
  const refusal = refuseMany(request, parts);
  if (refusal !== undefined) return refusal;

  const key = makeKey();
  const { tier, label, subscription } = session;
  const record = apiKeyRecord(key, {
    tier,
    createdMs: now(),
    session: id,
    ...(label !== undefined && { label }),
    ...(subscription !== undefined && { subscription }),
  });
  if ((await keys.add(record)) === 'too-late') return claimed();
  return uncachedJson(200, viewNewKey(key, record, perMinute[tier]), { 'referrer-policy': 'no-referrer' });
}

const sessionId: Decode<string> = (value, at) => {
  if (typeof value === 'string' && SESSION_ID.test(value)) return value;
  throw refused(at, value, 'Give the session_id that the checkout led back with.');
};

/** Other parameters are ignored: the page that leads here may add its own. */
function sessionIdOf(query: URLSearchParams): string {
  const [id, ...more] = query.getAll('session_id');
  if (more.length > 0) throw refused('session_id', id, 'Give it once.');
  return sessionId(id, 'session_id');
}

function refuseMany({ clientIp }: HubRequest, { payments, perDay }: ClaimParts): HubResponse | undefined {
  const { dailyKeysPerClient: most } = payments;
  if (most === undefined) return undefined;
  const { isAllowed, leftMs } = perDay.take(clientOfAddress(clientIp), most);
  if (isAllowed) return undefined;
  const detail = `Nobody gets more than ${most} keys a day here. Rotate one that you have, or come again later.`;
  return problem({ status: 429, detail }, { 'retry-after': String(Math.ceil(leftMs / 1000)) });
}

/** Keys are settled before the event is recorded: an event that was recorded but not acted upon would be lost. */
async function hear({ body, headers }: HubRequest, { payments, keys, now }: KeyParts): Promise<HubResponse> {
  if (payments?.readWebhook === undefined) return problem({ status: 404, detail: 'Nobody has anything to say here.' });
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  const event = await payments.readWebhook(bytes, headers[SIGNATURE_HEADER], now());
  if (event === undefined) return problem({ status: 400, detail: 'The signature is missing, wrong or too old.' });
  if (event.kind !== 'other') await keys.settle(await withoutDoubt(event, payments, keys), now());
  const isNew = (await keys.recordWebhook(event.id, now())) === 'done';
  return uncachedJson(200, { received: true, replayed: !isNew });
}

/** If the order of two events is unknown, the provider is asked for the state of the subscription. */
async function withoutDoubt(event: StandingEvent, payments: Payments, keys: KeyRing): Promise<StandingEvent> {
  if (!keys.isInDoubt(event)) return event;
  return { ...event, kind: (await payments.standingOf?.(event.subscription)) ?? event.kind };
}

function claimed(): HubResponse {
  const detail = 'The key of this session was claimed before, or nobody pays for it any more. A key is shown once.';
  return problem({ status: 410, detail });
}

function notSold(): HubResponse {
  const detail = `${NOT_SOLD} Feeds can be read without one; who needs more requests asks the operator (tidings apikeys issue).`;
  return problem({ status: 404, detail });
}
