import { formatTime } from '../../../codecs/primitives/time.ts';
import type { WebhookMessage } from '../../../codecs/webhooks/message.ts';
import type { ChangeReceipts } from '../../../dialects/shelf.ts';
import { proofsOf } from './delivery-proofs.ts';
import type { DeliverMove } from './next-move.ts';
import { sendWebhook, type WebhookAnswer, type WebhookWay } from './send-webhook.ts';
import type { DeliveryAttempt, Subscription } from './subscription.ts';
import { noticeId } from './webhook-ids.ts';
import { createWebhookBodies, type WebhookBodies, webhookMessage } from './webhook-message.ts';
import { withReceipts } from './with-receipts.ts';

/** An attempt, with its record for people. */
export interface Attempted {
  readonly answer: WebhookAnswer;
  readonly attempt: DeliveryAttempt;
}

/** Sends deliveries. Undefined if the signal ended the attempt. */
export interface Attempter {
  deliver(subscription: Subscription, move: DeliverMove, signal: AbortSignal): Promise<Attempted | undefined>;
  /** Asks the endpoint for its consent: it must answer with exactly the challenge. */
  verify(subscription: Subscription, signal: AbortSignal): Promise<Attempted | undefined>;
  test(subscription: Subscription, nonce: string, signal: AbortSignal): Promise<Attempted | undefined>;
}

export interface AttempterParts extends WebhookWay {
  /** The public base URL of the hub, with a final slash. */
  hubUrl(): string;
  /** Absent if nothing is proven. */
  readonly receipts?: ChangeReceipts | undefined;
  /** Called with each attempt, for the metrics. */
  onAttempt(attempt: DeliveryAttempt): void;
}

const SHOWN_BYTES = 200;

export function createAttempter(parts: AttempterParts): Attempter {
  const bodies = createWebhookBodies(() => parts.hubUrl());
  const messageOf = async ({ receipts, proofs }: Subscription, move: DeliverMove) => {
    if (proofs === true)
      return withReceipts(webhookMessage(move), parts.hubUrl(), await proofsOf(move, parts.receipts));
    return receipts === true ? withReceipts(webhookMessage(move), parts.hubUrl()) : webhookMessage(move);
  };
  const attempt = (facts: AttemptFacts) => send(facts, parts, bodies);
  return {
    async deliver(subscription, move, signal) {
      const { delivery, events } = move;
      const { id, attempts, seqs } = delivery;
      const places = {
        seqs,
        ...(events[0] && { from: events[0].id }),
        ...(events.at(-1) && { to: events.at(-1)?.id }),
      };
      return await attempt({
        subscription,
        id,
        message: await messageOf(subscription, move),
        attempt: attempts + 1,
        signal,
        places,
      });
    },
    async verify(subscription, signal) {
      const { text = '', atMs = parts.now(), attempts = 0 } = subscription.standing.challenge ?? {};
      const id = noticeId(subscription.id, 'verify', text);
      const data = { challenge: text, subscription: subscription.id };
      const message: WebhookMessage = { type: 'subscription.verify', timestamp: formatTime(atMs), data };
      const verdict = (answer: WebhookAnswer) => consentOf(answer, text);
      return attempt({ subscription, id, message, attempt: attempts + 1, signal, verdict });
    },
    test: (subscription, nonce, signal) => {
      const id = noticeId(subscription.id, 'test', nonce);
      const data = { subscription: subscription.id };
      const message: WebhookMessage = { type: 'subscription.test', timestamp: formatTime(parts.now()), data };
      return attempt({ subscription, id, message, attempt: 1, signal });
    },
  };
}

interface AttemptFacts {
  readonly subscription: Subscription;
  readonly id: string;
  readonly message: WebhookMessage;
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly places?: Partial<Pick<DeliveryAttempt, 'seqs' | 'from' | 'to'>>;
  /** Judges the answer, if its status is not enough. */
  readonly verdict?: (answer: WebhookAnswer) => WebhookAnswer;
}

async function send(facts: AttemptFacts, parts: AttempterParts, bodies: WebhookBodies): Promise<Attempted | undefined> {
  const { subscription, id, message, attempt: number, signal, places, verdict = (answer) => answer } = facts;
  const { url, secrets, form } = subscription;
  const given = await sendWebhook({ url, id, secrets, signal, ...bodies.write(message, form, id) }, parts);
  if (given === undefined) return undefined;
  const answer = verdict(given);
  const { outcome, atMs, tookMs, status, bytes, error } = answer;
  const attempt: DeliveryAttempt = {
    subscription: subscription.id,
    delivery: id,
    type: message.type,
    attempt: number,
    atMs,
    tookMs,
    outcome,
    ...(status !== undefined && { status }),
    ...(bytes !== undefined && { answer: shownText(bytes) }),
    ...(error !== undefined && { error }),
    seqs: [],
    ...places,
  };
  parts.onAttempt(attempt);
  return { answer, attempt };
}

/** Byte for byte: an endpoint that echoes every request has not consented. */
function consentOf(answer: WebhookAnswer, challenge: string): WebhookAnswer {
  if (answer.outcome !== 'delivered') return answer;
  const text = Buffer.from(answer.bytes ?? new Uint8Array()).toString('latin1');
  if (text === challenge) return answer;
  const hint =
    text.trim() === challenge ? 'There is white space around it.' : 'Answer with the text of data.challenge.';
  const message = `It answered ${answer.status ?? ''}, but not with the challenge and nothing else. ${hint}`;
  return { ...answer, outcome: 'failed', error: { code: 'ChallengeError', message } };
}

function shownText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, SHOWN_BYTES));
}
