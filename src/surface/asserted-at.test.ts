import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import type { Fact } from '../codecs/agent-feed/wire.ts';
import { assertedAt } from './asserted-at.ts';

const ORIGIN = new URL('https://api.example');
const FACTS: readonly { fact: Fact }[] = [
  announced('2026-04-01T00:00:00Z', '/first'),
  changed('2026-05-01T02:00:00+02:00'),
  deprecated('2026-06-01T00:00:00.250Z'),
  announced('2026-04-15T00:00:00Z', '/backdated'),
];

clause('AF-A9', 'tells what was asserted at a moment by the signed times, in the order of the facts', () => {
  const at = (time: string) => assertedAt(ORIGIN, FACTS, Date.parse(time));
  expect(at('2026-03-31T23:59:59.999Z')).toEqual([]);
  expect(at('2026-04-01T00:00:00Z')).toMatchObject([{ url: 'https://api.example/first', version: '1.0' }]);
  expect(at('2026-04-15T00:00:00Z')).toMatchObject([{ url: 'https://api.example/backdated', migrations: [] }]);
  expect(at('2026-05-01T00:00:00Z')).toMatchObject([{ migrations: [{ from: '1.0', to: '1.1' }] }]);
  expect(at('2026-06-01T00:00:00.249Z')[0]).not.toHaveProperty('deprecation');
  expect(at('2026-06-01T00:00:00.250Z')[0]).toHaveProperty('deprecation');
});

test('a fact whose time cannot be read was never asserted', () => {
  expect(assertedAt(ORIGIN, [announced('some day', '/x')], Number.MAX_SAFE_INTEGER)).toEqual([]);
});

test('a deprecation that was void stays void', () => {
  const facts = [deprecated('2026-01-01T00:00:00Z'), announced('2026-04-01T00:00:00Z', '/x')];
  expect(assertedAt(ORIGIN, facts, Date.parse('2027-01-01T00:00:00Z'))[0]).not.toHaveProperty('deprecation');
});

function announced(time: string, endpoint: string): { fact: Fact } {
  const facts = { endpointId: 'orders', endpoint, protocol: 'rest', version: '1.0', assertedAt: time };
  return { fact: { type: 'endpoint-announcement', ...facts } };
}

function changed(time: string): { fact: Fact } {
  const versions = { fromVersion: '1.0', toVersion: '1.1' };
  return { fact: { type: 'schema-change', endpointId: 'orders', ...versions, effectiveAt: time, migration: {} } };
}

function deprecated(time: string): { fact: Fact } {
  const end = { sunset: '2026-10-01T00:00:00Z', replacement: null, reason: null };
  return { fact: { type: 'deprecation', endpointId: 'orders', announcedAt: time, ...end } };
}
