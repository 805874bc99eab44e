import { oneLine } from '../codecs/primitives/one-line.ts';
import { shorten } from '../codecs/primitives/shorten.ts';
import type { DeadLetterView, DeliveriesView, DeliveryView, SubscriptionView } from '../doors/subscription-client.ts';

const MOST_URL = 60;
const MOST_ANSWER = 60;

/** One line a subscription, in columns. */
export function subscriptionTable(subscriptions: readonly SubscriptionView[]): string[] {
  const rows = subscriptions.map(({ id, status, lag, format, topic, url, label }) => [
    id,
    status,
    String(lag),
    topic === 'changes' ? format : `${format} (${topic})`,
    shorten(url, MOST_URL),
    label ?? '',
  ]);
  return columns([['ID', 'STATUS', 'BEHIND', 'FORMAT', 'URL', 'LABEL'], ...rows]);
}

/** All that is known of one, a line each. */
export function subscriptionLines(
  subscription: SubscriptionView,
  { deliveries, dead_letters }: DeliveriesView,
): string[] {
  const { id, url, status, reason, lag, cursor, next_attempt_at: next, last_success_at: last } = subscription;
  return [
    `${id}: ${status}${reason === undefined ? '' : ` (${oneLine(reason)})`}`,
    `  url       ${oneLine(url)}`,
    `  format    ${subscription.format}, topic ${subscription.topic}`,
    `  cursor    ${cursor ?? '(start of the log)'}, ${lag} behind`,
    ...(last === undefined ? [] : [`  last taken ${last}`]),
    ...(next === undefined ? [] : [`  tried again ${next}`]),
    ...(deliveries.length === 0 ? ['No delivery yet.'] : columns([ATTEMPTS, ...deliveries.map(attemptCells)])),
    ...(dead_letters.length === 0 ? [] : ['Nobody took:', ...columns([DEAD, ...dead_letters.map(deadCells)])]),
  ];
}

/** What came of one attempt, for people. */
export function deliveryLine({ outcome, status, duration_ms: took, answer, error }: DeliveryView): string {
  const what = status === undefined ? (error?.message ?? '') : `it answered ${status} after ${took} ms`;
  const said = answer === undefined || answer === '' ? '' : `: ${shorten(oneLine(answer), MOST_ANSWER)}`;
  return `${outcome}, ${oneLine(what)}${said}`;
}

const ATTEMPTS = ['AT', 'TYPE', 'TRY', 'OUTCOME', 'STATUS', 'MS', 'DELIVERY', 'ANSWER'];
const DEAD = ['AT', 'EVENTS', 'TRIES', 'DELIVERY', 'REASON'];

function attemptCells({ at, type, attempt, outcome, status, duration_ms: took, id, answer, error }: DeliveryView) {
  const said = shorten(oneLine(answer || error?.message || ''), MOST_ANSWER);
  return [at, type, String(attempt), outcome, String(status ?? '-'), String(took), id, said];
}

function deadCells({ at, events, attempts, id, reason }: DeadLetterView) {
  return [at, String(events), String(attempts), id, shorten(oneLine(reason), MOST_ANSWER)];
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(oneLine));
  const widths = shown[0]?.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0))) ?? [];
  return shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
