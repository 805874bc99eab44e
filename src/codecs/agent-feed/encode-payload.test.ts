import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodePayload } from './decode-payload.ts';
import { encodePayload, summaryOf, updatedOf } from './encode-payload.ts';
import type { Fact } from './wire.ts';

const ANNOUNCEMENT: Fact = {
  type: 'endpoint-announcement',
  endpointId: 'a2a',
  endpoint: 'https://example.com/a2a/v1',
  protocol: 'a2a',
  version: '1.0',
  assertedAt: '2026-04-27T12:00:00Z',
};
const CHANGE: Fact = {
  type: 'schema-change',
  endpointId: 'orders-api',
  fromVersion: '1.0',
  toVersion: '1.1',
  effectiveAt: '2026-04-27T13:00:00Z',
  migration: { rename: { '/amount': '/total' }, add: ['/currency'] },
};
const END: Fact = {
  type: 'deprecation',
  endpointId: 'orders-api-v1',
  announcedAt: '2026-04-27T14:00:00Z',
  sunset: '2026-10-01T00:00:00Z',
  replacement: 'orders-api-v2',
  reason: 'consolidating onto orders-api-v2',
};

clause('AF-EN9', 'the payloads of the draft come out as the draft has them', () => {
  expect(encodePayload(ANNOUNCEMENT)).toEqual({
    ok: true,
    value:
      '{"asserted-at":"2026-04-27T12:00:00Z","endpoint":"https://example.com/a2a/v1","endpoint-id":"a2a","protocol":"a2a","version":"1.0"}',
  });
  expect(encodePayload(CHANGE)).toEqual({
    ok: true,
    value:
      '{"effective-at":"2026-04-27T13:00:00Z","endpoint-id":"orders-api","from-version":"1.0","migration":{"add":["/currency"],"rename":{"/amount":"/total"}},"to-version":"1.1"}',
  });
  expect(encodePayload(END)).toEqual({
    ok: true,
    value:
      '{"announced-at":"2026-04-27T14:00:00Z","endpoint-id":"orders-api-v1","reason":"consolidating onto orders-api-v2","replacement":"orders-api-v2","sunset":"2026-10-01T00:00:00Z"}',
  });
  expect(encodePayload({ ...END, replacement: null, reason: null })).toEqual({
    ok: true,
    value: '{"announced-at":"2026-04-27T14:00:00Z","endpoint-id":"orders-api-v1","sunset":"2026-10-01T00:00:00Z"}',
  });
});

test('what is encoded is decoded to the same fact', () => {
  for (const fact of [ANNOUNCEMENT, CHANGE, END, { ...END, replacement: null, reason: null }]) {
    const payload = encodePayload(fact);
    expect(payload.ok && decodePayload(fact.type, payload.value)).toEqual({ ok: true, value: fact });
  }
});

test('what XML or JSON cannot carry is refused', () => {
  for (const reason of ['\uFFFE', '\uFFFF', '\uD83D', '\uDE00\uD83D']) {
    expect(encodePayload({ ...END, reason })).toMatchObject({ ok: false, issues: [{ clause: 'AF-EN9' }] });
  }
  expect(encodePayload({ ...CHANGE, migration: { x: Number.NaN } })).toMatchObject({ ok: false });
  expect(encodePayload({ ...END, reason: '\u{1F600}\u{1FFFF}\u0000' })).toMatchObject({ ok: true });
});

clause('AF-EN5', 'updated is the claimed time of each type, in UTC', () => {
  expect([ANNOUNCEMENT, CHANGE, END].map(updatedOf)).toEqual([
    '2026-04-27T12:00:00Z',
    '2026-04-27T13:00:00Z',
    '2026-04-27T14:00:00Z',
  ]);
  expect(updatedOf({ ...END, announcedAt: '2026-04-27T01:00:00-05:00' })).toBe('2026-04-27T06:00:00Z');
});

test('a summary is one line that XML can carry', () => {
  expect(summaryOf(END)).toBe('orders-api-v1 ends at 2026-10-01T00:00:00Z. Use orders-api-v2 instead.');
  expect(summaryOf({ ...CHANGE, endpointId: 'a\n\u0000\uFFFEb' })).toBe(
    'The schema of a \uFFFD\uFFFDb changes from version 1.0 to 1.1.',
  );
});
