import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { matchesSchema } from '../../../test/support/json-schema.ts';
import { encodeWebhookBody, WEBHOOK_FORMS } from './body.ts';
import type { WebhookChange, WebhookChangeEvent, WebhookMessage } from './message.ts';
import { webhookBatchLength } from './slim-change.ts';

const CONTEXT = { id: 'msg_01J9ZK3V5M', hubUrl: 'https://hub.example/' };
const CHANGE = {
  seq: 7,
  id: '01J9ZK3V5M0000000000000007',
  source: 'docs',
  kind: 'page',
  action: 'update',
  url: 'https://docs.example/install',
  anchor: 'linux',
  time: '2026-11-17T12:00:00Z',
  title: 'Install',
  heading: 'Linux',
  provenance: {},
} as const;

function told(change: Partial<WebhookChange> = {}): WebhookChangeEvent {
  const whole = { ...CHANGE, ...change };
  return { change: whole, json: JSON.stringify({ ...whole, boundary: `${whole.url}#${whole.anchor}` }) };
}

const MESSAGES: readonly WebhookMessage[] = [
  { type: 'change', event: told() },
  { type: 'changes', events: [told(), told({ id: '01J9ZK3V5M0000000000000008', time: '2026-11-17T12:05:00Z' })] },
  {
    type: 'subscription.verify',
    timestamp: '2026-11-17T12:00:00Z',
    data: { challenge: 'c4ll3ng3', subscription: 'sub_1' },
  },
  { type: 'subscription.test', timestamp: '2026-11-17T12:00:00Z', data: { subscription: 'sub_1' } },
  { type: 'resync', timestamp: '2026-11-17T12:00:00Z', data: { from: 'e2.0' } },
  {
    type: 'alert.raised',
    timestamp: '2026-11-17T12:00:00Z',
    data: { kind: 'source.broken', id: 'alert_1', summary: 'docs answers 500 since 11:00.', source: 'docs' },
  },
  {
    type: 'alert.cleared',
    timestamp: '2026-11-17T12:30:00Z',
    data: { kind: 'source.broken', id: 'alert_1', summary: 'docs answers again.', source: 'docs' },
  },
];

function json(form: (typeof WEBHOOK_FORMS)[number], message: WebhookMessage) {
  return JSON.parse(encodeWebhookBody(form, message, CONTEXT).body);
}

test('our own form splices the change in, byte for byte', () => {
  const event = { ...told(), json: '{"seq":7,  "n":1.0}' };
  expect(encodeWebhookBody('tidings', { type: 'change', event }, CONTEXT)).toEqual({
    body: '{"type":"change","timestamp":"2026-11-17T12:00:00Z","data":{"seq":7,  "n":1.0}}',
    contentType: 'application/json',
  });
});

test('a batch is a list, with the time of its newest change', () => {
  const { type, timestamp, data } = json('tidings', MESSAGES[1] as WebhookMessage);
  expect([type, timestamp, data.length]).toEqual(['changes', '2026-11-17T12:05:00Z', 2]);
});

const SCHEMA = JSON.parse(readFileSync('schema/webhook-payload.schema.json', 'utf8'));

clause(['SW-P4', 'SW-P5'], 'every message of a type is as the one schema of that type says', () => {
  for (const message of MESSAGES) expect(matchesSchema(SCHEMA, json('tidings', message)), message.type).toBe(true);
  expect(matchesSchema(SCHEMA, { type: 'change', timestamp: '2026-11-17T12:00:00Z' })).toBe(false);
  expect(matchesSchema(SCHEMA, { type: 'changed', timestamp: '2026-11-17T12:00:00Z', data: {} })).toBe(false);
});

clause('SW-P6', 'each type has an example that is valid, and stands in the guide', () => {
  const types = MESSAGES.map(({ type }) => type);
  expect(SCHEMA.examples.map(({ type }: { type: string }) => type)).toEqual(types);
  for (const example of SCHEMA.examples) expect(matchesSchema(SCHEMA, example), example.type).toBe(true);
  const guide = readFileSync('docs/guides/push.md', 'utf8');
  expect(types.filter((type) => !guide.includes(`\`${type}\``))).toEqual([]);
});

clause('SW-P2', 'names of types are words with full stops between them', () => {
  for (const { type } of MESSAGES) expect(type).toMatch(/^[a-zA-Z0-9_]+(\.[a-zA-Z0-9_]+)*$/);
});

test('CloudEvents: one event has the attributes that are required, and data that is no text', () => {
  expect(json('cloudevents', MESSAGES[0] as WebhookMessage)).toEqual({
    specversion: '1.0',
    id: CHANGE.id,
    source: 'https://hub.example/',
    type: 'tidings.change',
    time: CHANGE.time,
    subject: 'https://docs.example/install#linux',
    datacontenttype: 'application/json',
    data: JSON.parse(told().json),
  });
  for (const message of MESSAGES) {
    const { body, contentType } = encodeWebhookBody('cloudevents', message, CONTEXT);
    const isBatch = message.type === 'changes';
    expect(contentType).toBe(`application/cloudevents${isBatch ? '-batch' : ''}+json`);
    for (const event of [JSON.parse(body)].flat()) {
      expect(event).toMatchObject({ specversion: '1.0', type: `tidings.${isBatch ? 'change' : message.type}` });
      expect(event.id).not.toBe('');
    }
  }
});

test('CloudEvents: an anchor in another script is a URI in the subject', () => {
  const { subject } = json('cloudevents', { type: 'change', event: told({ anchor: 'Über 😀 \ud800' }) });
  expect(subject).toBe('https://docs.example/install#%C3%9Cber%20%F0%9F%98%80%20%EF%BF%BD');
});

test('Firecrawl: a page is new, changed or removed, under ids that stay', () => {
  const page = json('firecrawl', { type: 'change', event: told({ before: 'old\ntext', excerpt: 'new' }) });
  const uuid = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  expect(page).toEqual({
    success: true,
    type: 'monitor.page',
    id: page.data[0].checkId,
    webhookId: expect.stringMatching(uuid),
    data: [
      {
        monitorId: expect.stringMatching(uuid),
        checkId: expect.stringMatching(uuid),
        url: 'https://docs.example/install',
        status: 'changed',
        previousScrapeId: null,
        currentScrapeId: expect.stringMatching(uuid),
        error: null,
        diff: { text: '--- previous\n+++ current\n@@ -1,2 +1,1 @@\n-old\n-text\n+new\n' },
        source: 'docs',
        anchor: 'linux',
        change: CHANGE.id,
      },
    ],
    metadata: {},
  });
  const gone = json('firecrawl', { type: 'change', event: told({ action: 'delete' }) });
  expect(gone.data[0]).toMatchObject({ status: 'removed', currentScrapeId: null, checkId: page.data[0].checkId });
  const added = json('firecrawl', { type: 'change', event: told({ action: 'create', source: 'blog' }) });
  expect(added.data[0].status).toBe('new');
  expect(added.data[0].monitorId).not.toBe(page.data[0].monitorId);
});

test('a verification has its challenge in every form', () => {
  for (const form of WEBHOOK_FORMS) {
    expect(encodeWebhookBody(form, MESSAGES[2] as WebhookMessage, CONTEXT).body, form).toContain('c4ll3ng3');
  }
});

test('an alert says in every form what it is about', () => {
  for (const form of WEBHOOK_FORMS) {
    expect(encodeWebhookBody(form, MESSAGES[5] as WebhookMessage, CONTEXT).body, form).toContain('answers 500');
  }
});

test('a change of a long page stays under 20 kB: its texts are left out, and named', () => {
  const long = told({ excerpt: 'ä'.repeat(500_000), before: 'ä'.repeat(2000), summary: 'short' });
  for (const form of WEBHOOK_FORMS) {
    const { body } = encodeWebhookBody(form, { type: 'change', event: long }, CONTEXT);
    expect(Buffer.byteLength(body), form).toBeLessThan(20_000);
    expect(encodeWebhookBody(form, { type: 'change', event: long }, CONTEXT).body).toBe(body);
  }
  const { data } = json('tidings', { type: 'change', event: long });
  expect(data).toMatchObject({ url: CHANGE.url, summary: 'short', omitted: ['before', 'excerpt'] });
  expect(
    json('tidings', { type: 'change', event: told({ before: 'b'.repeat(9000), excerpt: 'e'.repeat(9000) }) }).data,
  ).toMatchObject({
    omitted: ['before'],
  });
});

test('as many changes go into a batch as fit under 20 kB, and one at least', () => {
  const many = Array.from({ length: 200 }, (_, at) => told({ id: String(at), excerpt: 'e'.repeat(at % 7 ? 300 : 30) }));
  const length = webhookBatchLength(many);
  expect(length).toBeGreaterThan(10);
  const [first, ...rest] = many.slice(0, length) as [WebhookChangeEvent, ...WebhookChangeEvent[]];
  for (const form of WEBHOOK_FORMS) {
    const { body } = encodeWebhookBody(form, { type: 'changes', events: [first, ...rest] }, CONTEXT);
    expect(Buffer.byteLength(body), form).toBeLessThan(20_000);
  }
  expect(webhookBatchLength([told({ excerpt: 'x'.repeat(50_000) }), told()])).toBe(2);
  expect(webhookBatchLength([told({ excerpt: 'x'.repeat(15_000) }), told({ excerpt: 'x'.repeat(15_000) })])).toBe(1);
  expect(webhookBatchLength([])).toBe(0);
});

test('whatever a change says, every form is well formed and under 20 kB', () => {
  // Halves of surrogate pairs included.
  const text = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units));
  fc.assert(
    fc.property(text, text, text, text, (title, heading, anchor, summary) => {
      const event = told({ title, heading, anchor, summary, url: `https://docs.example/${title}` });
      for (const form of WEBHOOK_FORMS) {
        const { body, contentType } = encodeWebhookBody(form, { type: 'change', event }, CONTEXT);
        expect(Buffer.byteLength(body)).toBeLessThan(20_000);
        if (contentType.includes('json')) expect(() => JSON.parse(body)).not.toThrow();
      }
    }),
    { numRuns: 30 },
  );
});
