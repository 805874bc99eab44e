import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkAIDocument } from './check.ts';
import type { AIDocument, EconomicsInfo } from './wire.ts';

const VECTORS = new URL('../../../specs/aiwebindex/vectors/valid/', import.meta.url);
const vector = (name: string) => JSON.parse(readFileSync(new URL(name, VECTORS), 'utf8'));
const EXAMPLE: AIDocument = vector('AWI-DOC1-spec-example.json');
const ECONOMICS: EconomicsInfo = vector('AWI-EC1-economics.json').economics;

const clausesOf = (change: object) => checkAIDocument({ ...EXAMPLE, ...change }).map(({ clause }) => clause);

test('the example of the specification is without fault', () => {
  expect(checkAIDocument(EXAMPLE)).toEqual([]);
});

test.each([
  ['AWI-CA4', { status: 'hit', origin_contacted: true, body_fetched: false }, 'cache_first'],
  ['AWI-CA5', { status: 'miss', origin_contacted: true, body_fetched: false }, 'cache_first'],
  ['AWI-CA5', { status: 'miss', origin_contacted: true, body_fetched: true }, 'force_refresh'],
  ['AWI-CA6', { status: 'refreshed', origin_contacted: true, body_fetched: true }, 'cache_first'],
  ['AWI-CA6', { status: 'refreshed', origin_contacted: false, body_fetched: true }, 'force_refresh'],
  ['AWI-CA7', { status: 'stale_revalidated', origin_contacted: true, body_fetched: true }, 'cache_first'],
])('[%s] finds %j under %s', (clause, cache, freshness_policy) => {
  expect(clausesOf({ cache, source: { ...EXAMPLE.source, freshness_policy } })).toEqual([clause]);
});

test('[AWI-DOC5] an empty string is not an absence', () => {
  expect(clausesOf({ identity: { title: '' } })).toEqual(['AWI-DOC5']);
});

test('[AWI-ID3] [AWI-ID4] a language that is no tag and a media type for a kind are found', () => {
  expect(clausesOf({ identity: { language: 'en_US', content_type: 'text/html' } })).toEqual(['AWI-ID3', 'AWI-ID4']);
});

test('[AWI-ST6] a host is internal to itself only, whatever the port', () => {
  const links = [
    { url: 'https://example.com:8443/x', internal: true },
    { url: 'https://www.example.com/x', internal: true },
  ];
  const found = checkAIDocument({ ...EXAMPLE, structure: { ...EXAMPLE.structure, links } });
  expect(found).toMatchObject([{ clause: 'AWI-ST6', where: 'structure.links[1].internal' }]);
});

test('[AWI-SG3] [AWI-SG4] [AWI-SG5] signals must follow from the structure', () => {
  const structure = { structured_data: { '@type': 'Thing' }, headings: [{ level: 3, text: 'x' }] };
  expect(clausesOf({ structure })).toEqual(['AWI-SG3', 'AWI-SG4']);
});

test.each<[string, Partial<EconomicsInfo>]>([
  ['AWI-EC4', { token_savings: 1499 }],
  ['AWI-EC5', { token_savings_percent: 0.75 }],
  ['AWI-EC6', { estimated_cost_usd: { our_output: 0.0015, raw_html: 0.006, savings: 1 } }],
])('[%s] finds a sum that is wrong', (clause, change) => {
  expect(clausesOf({ economics: { ...ECONOMICS, ...change } })).toContain(clause);
});

test('[AWI-MG4] a 1.0 document is advised to become 2.0, and no more', () => {
  expect(checkAIDocument(vector('AWI-MG1-version-1.json'))).toMatchObject([{ clause: 'AWI-MG4', level: 'SHOULD' }]);
});

test.each([[null], ['x'], [[]], [7], [undefined]])('%j is no document', (value) => {
  expect(checkAIDocument(value)).toMatchObject([{ clause: 'AWI-DOC1', level: 'MUST' }]);
});
