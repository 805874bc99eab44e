import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
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

type Outcome = readonly [id: string, status: string, contacted: boolean, fetched: boolean, policy: string];

function expectFound(outcomes: readonly Outcome[]): void {
  for (const [id, status, contacted, fetched, freshness_policy] of outcomes) {
    const cache = { status, origin_contacted: contacted, body_fetched: fetched };
    expect(clausesOf({ cache, source: { ...EXAMPLE.source, freshness_policy } }), status).toEqual([id]);
  }
}

clause(['AWI-CA4', 'AWI-CA5'], 'a hit or a miss beside other booleans or another policy is found', () => {
  expectFound([
    ['AWI-CA4', 'hit', true, false, 'cache_first'],
    ['AWI-CA5', 'miss', true, false, 'cache_first'],
    ['AWI-CA5', 'miss', true, true, 'force_refresh'],
  ]);
});

clause(['AWI-CA6', 'AWI-CA7'], 'a refresh or a revalidation beside other booleans or another policy is found', () => {
  expectFound([
    ['AWI-CA6', 'refreshed', true, true, 'cache_first'],
    ['AWI-CA6', 'refreshed', false, true, 'force_refresh'],
    ['AWI-CA7', 'stale_revalidated', true, true, 'cache_first'],
  ]);
});

clause(['AWI-SRC8', 'AWI-SRC10'], 'modes and policies are those of the specification', () => {
  expect(clausesOf({ source: { ...EXAMPLE.source, render_mode: 'js' } })).toEqual(['AWI-SRC8']);
  expect(clausesOf({ source: { ...EXAMPLE.source, freshness_policy: 'always' } })).toEqual(['AWI-SRC10']);
});

clause(['AWI-CA1', 'AWI-CA2', 'AWI-CA3'], 'the cache has a status of the specification and two booleans', () => {
  expect(clausesOf({ cache: { ...EXAMPLE.cache, status: 'stale' } })).toEqual(['AWI-CA1']);
  for (const wrong of [1, 'no', null, undefined]) {
    expect(clausesOf({ cache: { ...EXAMPLE.cache, origin_contacted: wrong } }), `${wrong}`).toContain('AWI-CA2');
    expect(clausesOf({ cache: { ...EXAMPLE.cache, body_fetched: wrong } }), `${wrong}`).toContain('AWI-CA3');
  }
});

clause('AWI-DOC1', 'each group that is missing is found', () => {
  for (const group of ['schema', 'source', 'cache', 'identity', 'content', 'structure', 'signals'])
    expect(clausesOf({ [group]: undefined }), group).toEqual(['AWI-DOC1']);
});

clause(['AWI-SG1', 'AWI-SG2'], 'counts that are missing are advised, no more', () => {
  const signals = { has_json_ld: false, heading_hierarchy_ok: true };
  expect(checkAIDocument({ ...EXAMPLE, signals })).toMatchObject([
    { clause: 'AWI-SG1', level: 'SHOULD' },
    { clause: 'AWI-SG2', level: 'SHOULD' },
  ]);
});

clause('AWI-MG2', 'a field that 2.0 drops is found wherever it stands, but not in data of the page', () => {
  expect(clausesOf({ user_agent: 'x' })).toEqual(['AWI-MG2']);
  expect(clausesOf({ crawl: { fetch_duration_ms: 1, content_length: 2 } })).toEqual(['AWI-MG2', 'AWI-MG2']);
  const structure = { ...EXAMPLE.structure, structured_data: { user_agent: 'x' } };
  expect(clausesOf({ structure, signals: { ...EXAMPLE.signals, has_json_ld: true } })).toEqual([]);
});

clause('AWI-PR2', 'a name and password in the URL are found', () => {
  expect(clausesOf({ source: { ...EXAMPLE.source, url: 'https://kim:secret@example.com/' } })).toEqual(['AWI-PR2']);
});

clause('AWI-ST5', 'a link that is not absolute is advised against', () => {
  const structure = { ...EXAMPLE.structure, links: [{ url: '/x', internal: true }] };
  expect(checkAIDocument({ ...EXAMPLE, structure })).toMatchObject([{ clause: 'AWI-ST5', level: 'SHOULD' }]);
});

clause('AWI-DOC5', 'an empty string is not an absence', () => {
  expect(clausesOf({ identity: { title: '' } })).toEqual(['AWI-DOC5']);
});

clause(['AWI-ID3', 'AWI-ID4'], 'a language that is no tag and a media type for a kind are found', () => {
  expect(clausesOf({ identity: { language: 'en_US', content_type: 'text/html' } })).toEqual(['AWI-ID3', 'AWI-ID4']);
});

clause('AWI-ST6', 'a host is internal to itself only, whatever the port', () => {
  const links = [
    { url: 'https://example.com:8443/x', internal: true },
    { url: 'https://www.example.com/x', internal: true },
  ];
  const found = checkAIDocument({ ...EXAMPLE, structure: { ...EXAMPLE.structure, links } });
  expect(found).toMatchObject([{ clause: 'AWI-ST6', where: 'structure.links[1].internal' }]);
});

clause(['AWI-SG3', 'AWI-SG4', 'AWI-SG5'], 'signals must follow from the structure', () => {
  const structure = { structured_data: { '@type': 'Thing' }, headings: [{ level: 3, text: 'x' }] };
  expect(clausesOf({ structure })).toEqual(['AWI-SG3', 'AWI-SG4']);
});

clause(['AWI-EC4', 'AWI-EC5', 'AWI-EC6'], 'a sum that is wrong is found', () => {
  for (const [id, change] of [
    ['AWI-EC4', { token_savings: 1499 }],
    ['AWI-EC5', { token_savings_percent: 0.75 }],
    ['AWI-EC5', { raw_html_tokens_approx: 0 }],
    ['AWI-EC6', { estimated_cost_usd: { our_output: 0.0015, raw_html: 0.006, savings: 1 } }],
  ] as [string, Partial<EconomicsInfo>][]) {
    expect(clausesOf({ economics: { ...ECONOMICS, ...change } }), id).toContain(id);
  }
});

clause('AWI-EC1', 'economics are complete or absent', () => {
  for (const key of Object.keys(ECONOMICS))
    expect(clausesOf({ economics: { ...ECONOMICS, [key]: undefined } }), key).toEqual(['AWI-EC1']);
  expect(clausesOf({ economics: undefined })).toEqual([]);
});

clause(['AWI-EC2', 'AWI-EC3', 'AWI-EC7'], 'counts are whole, and prices have a basis', () => {
  expect(clausesOf({ economics: { ...ECONOMICS, output_tokens_approx: 1.5 } })).toEqual(['AWI-EC2']);
  expect(clausesOf({ economics: { ...ECONOMICS, raw_html_tokens_approx: -1 } })).toEqual(['AWI-EC3']);
  expect(clausesOf({ economics: { ...ECONOMICS, pricing_basis: { input_price_per_1k_usd: 1 } } })).toEqual(['AWI-EC7']);
});

clause('AWI-MG4', 'a 1.0 document is advised to become 2.0, and no more', () => {
  expect(checkAIDocument(vector('AWI-MG1-version-1.json'))).toMatchObject([{ clause: 'AWI-MG4', level: 'SHOULD' }]);
});

test.each([[null], ['x'], [[]], [7], [undefined]])('%j is no document', (value) => {
  expect(checkAIDocument(value)).toMatchObject([{ clause: 'AWI-DOC1', level: 'MUST' }]);
});
