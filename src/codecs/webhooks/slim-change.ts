import type { WebhookChangeEvent } from './message.ts';

/** Standard Webhooks wants payloads under 20 kB; this leaves room for an envelope. */
const MOST_CHANGE_BYTES = 18_000;
/** Fields to leave out, in this order, until the rest is small enough. Texts of the page come first: they can be read there. */
const OPTIONAL = [
  'before',
  'excerpt',
  'summary',
  'note',
  'hints',
  'uses',
  'riskReasons',
  'provenance',
  'title',
  'heading',
];
/** One unit of UTF-16 takes at most this many bytes in UTF-8. */
const MOST_UNIT_BYTES = 3;

/**
 * The JSON of a change for `data`. A change that is too long loses optional fields, which `omitted` then names. Its proof is always
 * sent whole: a part of a proof proves nothing.
 *
 * The same change always gives the same text.
 */
export function slimChangeJson({ json, proof }: Pick<WebhookChangeEvent, 'json' | 'proof'>): string {
  const slim = slimJson(json);
  return proof === undefined ? slim : `${slim.slice(0, slim.lastIndexOf('}'))},"proof":${proof}}`;
}

function slimJson(json: string): string {
  if (fits(json)) return json;
  let change = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const omitted: string[] = [];
  let slim = json;
  for (const name of OPTIONAL) {
    if (!(name in change)) continue;
    const { [name]: _, ...rest } = change;
    change = rest;
    omitted.push(name);
    slim = JSON.stringify({ ...change, omitted });
    if (fits(slim)) break;
  }
  return slim;
}

/**
 * How many of the first events fit into the body of one batch: at least one.
 *
 * Call this before making a batch, so that no body is longer than receivers expect.
 */
export function webhookBatchLength(events: readonly WebhookChangeEvent[]): number {
  let bytes = 0;
  for (const [at, event] of events.entries()) {
    bytes += byteLength(slimChangeJson(event)) + ENVELOPE_BYTES;
    if (bytes > MOST_CHANGE_BYTES) return Math.max(1, at);
  }
  return events.length;
}

/** The bytes that a form may add to each change of a batch. */
const ENVELOPE_BYTES = 400;

function fits(json: string): boolean {
  return json.length * MOST_UNIT_BYTES <= MOST_CHANGE_BYTES || byteLength(json) <= MOST_CHANGE_BYTES;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
