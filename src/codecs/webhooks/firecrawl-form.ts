/**
 * The payload of Firecrawl's monitors, for receivers that were written for them.
 *
 *     {"success":true,"type":"monitor.page","id":"<check>","webhookId":"<delivery>","data":[{"monitorId":"<source>","checkId":"<check>",
 *      "url":"https://docs.example/install","status":"changed","previousScrapeId":null,"currentScrapeId":"<change>","error":null,
 *      "diff":{"text":"--- previous\n+++ current\n@@ -1,1 +1,1 @@\n-Old\n+New\n"}}],"metadata":{}}
 *
 * Firecrawl's ids are UUIDs. Ours are derived from what they identify, so the same thing always has the same UUID. The verdicts of a model
 * (`judgment`, `isMeaningful`) are left out. In addition to Firecrawl's fields, each page has `source`, `anchor` and `change`.
 *
 * Spec: https://docs.firecrawl.dev/api-reference/endpoint/webhook-monitor-page
 */
import { hash } from 'node:crypto';
import type { EncodeWebhookForm, WebhookChange, WebhookContext, WebhookMessage } from './message.ts';

const STATUS = { create: 'new', update: 'changed', delete: 'removed' } as const;
const MOST_DIFF_TEXT = 2000;
/** In a batch, each change has less room. */
const MOST_BATCH_DIFF_TEXT = 200;

export const encodeFirecrawlForm: EncodeWebhookForm = (message, context) => {
  const body = JSON.stringify({
    success: true,
    ...contentOf(message, context),
    webhookId: uuidOf(['delivery', context.hubUrl, context.id]),
    metadata: {},
  });
  return { body, contentType: 'application/json' };
};

function contentOf(message: WebhookMessage, context: WebhookContext) {
  if (message.type === 'change') {
    const { change } = message.event;
    return { type: 'monitor.page', id: checkOf(change, context), data: [pageOf(change, context, MOST_DIFF_TEXT)] };
  }
  if (message.type === 'changes') {
    const data = message.events.map(({ change }) => pageOf(change, context, MOST_BATCH_DIFF_TEXT));
    return { type: 'monitor.page', id: data[0]?.checkId, data };
  }
  return { type: message.type, id: uuidOf(['notice', context.hubUrl, context.id]), data: [message.data] };
}

function pageOf(change: WebhookChange, context: WebhookContext, mostText: number) {
  const { action, url, anchor, source, id } = change;
  const diff = diffOf(change, mostText);
  return {
    monitorId: uuidOf(['source', context.hubUrl, source]),
    checkId: checkOf(change, context),
    url,
    status: STATUS[action],
    previousScrapeId: null,
    currentScrapeId: action === 'delete' ? null : uuidOf(['change', context.hubUrl, id]),
    error: null,
    ...(diff !== undefined && { diff: { text: diff } }),
    source,
    anchor,
    change: id,
  };
}

/** Changes of one source that were found together have the same time, and so the same check. */
function checkOf({ source, time }: WebhookChange, { hubUrl }: WebhookContext): string {
  return uuidOf(['check', hubUrl, source, time]);
}

/** Undefined unless the change has both texts and they fit into `most` characters. */
function diffOf({ before, excerpt }: WebhookChange, most: number): string | undefined {
  if (before === undefined || excerpt === undefined || before.length + excerpt.length > most) return undefined;
  const old = before.split('\n');
  const now = excerpt.split('\n');
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return `--- previous\n+++ current\n@@ -1,${old.length} +1,${now.length} @@\n${lines.join('\n')}\n`;
}

/** A UUID of version 8 (RFC 9562), made from a SHA-256 of the parts. */
function uuidOf(parts: readonly string[]): string {
  const hex = hash('sha256', JSON.stringify(parts));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
