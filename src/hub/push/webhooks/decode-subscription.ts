import { parseTime } from '../../../codecs/primitives/time.ts';
import { WEBHOOK_FORMS } from '../../../codecs/webhooks/body.ts';
import { decodeWebhookSecret } from '../../../codecs/webhooks/secret.ts';
import { decodeCursor, START_ID } from '../../../stream/log-cursor.ts';
import { webUrl } from '../../config/setting-addresses.ts';
import {
  type Decode,
  type Fields,
  fieldsOf,
  flag,
  oneOf,
  placeOf,
  refused,
  text,
  wholeNumberIn,
} from '../../config/setting-decoders.ts';
import { decodeChangeFilter } from '../change-filter.ts';
import type { WebhookBatch } from './subscription.ts';

/** Which addresses an endpoint may have. */
export interface EndpointRules {
  readonly allowPrivate: boolean;
  /** Judged by the name alone: a literal address that is not on the public internet, or `localhost`. */
  isPrivateName(hostname: string): boolean;
  /** Whether it leads to the hub itself. */
  isOwnAddress(url: URL): boolean;
}

/** In place of a cursor: the start of the log. */
const LOG_START = 'start';
const MOST_IN_BATCH = 100;
const LONGEST_WAIT_MS = 60_000;
const USUAL_WAIT_MS = 1000;
const MOST_LABEL = 200;

/** What a new subscription may say. */
export type SubscriptionWish = Fields<ReturnType<typeof wishShape>>;

/** The settings that may be changed. */
export type SubscriptionEdit = Fields<ReturnType<typeof editShape>>;

/** Throws a {@link SettingRefusedError} that names what is wrong. */
export function decodeSubscriptionWish(
  value: unknown,
  rules: EndpointRules,
  at = '',
): SubscriptionWish & { readonly url: string } {
  const { url, ...wish } = fieldsOf(wishShape(rules), value, at);
  if (url === undefined) throw refused(placeOf(at, 'url'), url, 'Name the address that is to be told.');
  return { url, ...wish };
}

export function decodeSubscriptionEdit(value: unknown, rules: EndpointRules): SubscriptionEdit {
  return fieldsOf(editShape(rules), value, '');
}

/** What to send again: everything after a cursor or a time, up to another cursor, or one delivery. */
export const decodeReplayWish = (value: unknown) =>
  fieldsOf({ from: cursor, since: moment, to: cursor, delivery: text(200) }, value, '');

export const decodeRotateWish = (value: unknown) => fieldsOf({ now: flag, signing, secret }, value, '');

function editShape(rules: EndpointRules) {
  return {
    url: endpoint(rules),
    filter: decodeChangeFilter,
    format: oneOf(WEBHOOK_FORMS),
    batch,
    label: text(MOST_LABEL),
    receipts: flag,
    proofs: flag,
    status: oneOf(['active', 'disabled']),
  };
}

function wishShape(rules: EndpointRules) {
  const { status: _, ...shape } = editShape(rules);
  return { ...shape, topic: oneOf(['changes', 'alerts']), from: cursor, verify: flag, signing, secret };
}

function endpoint({ allowPrivate, isPrivateName, isOwnAddress }: EndpointRules): Decode<string> {
  return (value, at) => {
    const url = new URL(webUrl(value, at));
    if (isOwnAddress(url))
      throw refused(at, value, 'It leads to this hub itself. Name the address of who is to be told.');
    if (allowPrivate) return url.href;
    if (isPrivateName(url.hostname)) {
      const remedy = 'It is not on the public internet, and this hub sends nothing to other addresses (allowPrivate).';
      throw refused(at, value, remedy);
    }
    if (url.protocol !== 'https:')
      throw refused(at, value, 'Give an https address: what is sent is signed, but not secret.');
    return url.href;
  };
}

const batch: Decode<WebhookBatch> = (value, at) => {
  const shape = { max: wholeNumberIn(1, MOST_IN_BATCH), waitMs: wholeNumberIn(0, LONGEST_WAIT_MS) };
  const { max = MOST_IN_BATCH, waitMs = max === 1 ? 0 : USUAL_WAIT_MS } = fieldsOf(shape, value, at);
  return { max, waitMs };
};

/** The id of the cursor: it identifies a place in any log. */
const cursor: Decode<string> = (value, at) => {
  if (value === LOG_START) return START_ID;
  const decoded = typeof value === 'string' ? decodeCursor(value) : undefined;
  if (decoded !== undefined) return decoded.id;
  throw refused(
    at,
    value,
    `A cursor is the id of a change, as this hub gave it; "${LOG_START}" is the start of the log.`,
  );
};

/** Epoch milliseconds. */
const moment: Decode<number> = (value, at) => {
  const ms = typeof value === 'string' ? parseTime(value) : undefined;
  if (ms !== undefined && ms >= 0) return ms;
  throw refused(at, value, 'Give a moment with its zone, like 2026-03-01T12:00:00Z.');
};

const signing = oneOf(['v1', 'v1a']);

/** Never repeated in a message. */
const secret: Decode<string> = (value, at) => {
  const decoded = decodeWebhookSecret(typeof value === 'string' ? value : '');
  if (decoded.ok) return String(value);
  throw refused(at, '(a secret)', decoded.issues[0]?.message ?? 'It is no secret.');
};
