import { describe, expect, test } from 'vitest';
import { compareSurfaces } from '../../diff/surface/diff-surfaces.ts';
import { decodeDescription } from './decode-description.ts';

const OBJECT = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const TEXT = { type: 'string' };

describe('answers that are not JSON', () => {
  test.each([
    ['JSON that becomes CSV', { 'application/json': OBJECT }, { 'text/csv': TEXT }],
    ['CSV that becomes JSON', { 'text/csv': TEXT }, { 'application/json': OBJECT }],
    ['CSV with another schema', { 'text/csv': TEXT }, { 'text/csv': { type: 'array' } }],
    ['CSV that becomes XML', { 'text/csv': TEXT }, { 'application/xml': TEXT }],
  ])('%s could not be compared', async (_, old, now) => {
    const operation = await diffOf(api({ media: old }), api({ media: now }));
    expect(operation).toMatchObject({ status: 'incomparable', reason: expect.stringMatching(/text\/csv.*not JSON/) });
  });

  test('the same ones are the same, whatever is written for people', async () => {
    const [old, now] = [TEXT, { ...TEXT, description: 'rows' }].map((schema) => api({ media: { 'text/csv': schema } }));
    expect((await diffOf(old, now))?.status).toBe('same');
  });

  test.each([
    'application/hal+json',
    'application/problem+json',
    'application/vnd.shop.v2+json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'text/json',
  ])('%s is JSON', async (type) => {
    const more = { ...OBJECT, properties: { ...OBJECT.properties, b: TEXT }, required: ['a', 'b'] };
    const operation = await diffOf(api({ media: { 'application/json': OBJECT } }), api({ media: { [type]: more } }));
    expect(operation?.migration).toEqual({ add: ['/b'] });
  });

  test('what is sent as something else can be compared no better', async () => {
    const [old, now] = [TEXT, { type: 'array' }].map((schema) =>
      api({ operation: { requestBody: { content: { 'text/csv': { schema } } } } }),
    );
    expect((await diffOf(old, now))?.reason).toMatch(/text\/csv.*\(request\)/);
    expect((await diffOf(old, old))?.status).toBe('same');
  });
});

test.each([
  ['3.0.3', undefined],
  ['3.1.0', { retype: { '/x': { from: 'string', to: 'nullable<string>' } } }],
])('in OpenAPI %s what stands beside a reference counts as its specification says', async (openapi, migration) => {
  const types = { Name: TEXT };
  const [old, now] = [{}, { nullable: true }].map((beside) => {
    const x = { $ref: '#/components/schemas/Name', ...beside };
    return {
      ...api({ media: { 'application/json': { type: 'object', properties: { x } } } }),
      openapi,
      ...schemas(types),
    };
  });
  expect((await diffOf(old, now))?.migration).toEqual(migration);
});

test('an API that is served elsewhere is told, with what to do', async () => {
  const at = (url: string, more: object = {}) => ({ ...api({}), servers: [{ url, ...more }] });
  const moved = await diffOf(at('https://api.example/v1'), at('https://api.example/v2'));
  expect(moved).toMatchObject({
    status: 'changed',
    migration: { traits: { address: { from: ['https://api.example/v1'], to: ['https://api.example/v2'] } } },
    suggestions: [{ is: 'announce', endpointId: 'rest:GET:/x' }],
  });
  const variables = { stage: { default: 'v1' } };
  expect((await diffOf(at('https://api.example/v1'), at('https://api.example/{stage}', { variables })))?.status).toBe(
    'same',
  );
  const own = api({ operation: { servers: [{ url: 'https://own.example' }] } });
  expect((await diffOf({ ...own, ...at('https://a.example'), paths: own.paths }, own))?.status).toBe('same');
  expect((await diffOf(api({}), at('https://api.example/v1')))?.status).toBe('same');
});

test.each([
  ['1.10', 'info: {title: t, version: 1.10}'],
  ['1.1', 'info:\n  title: t\n  version: 1.1 # the last one'],
  ['2', 'info: {title: t, version: 2}'],
])('the version %s needs no quotes in YAML', async (version, info) => {
  for (const openapi of ['3.0', '3.1', '"3.1.0"']) {
    const decoded = await decodeDescription(`openapi: ${openapi}\n${info}\npaths: {}\n`);
    expect(decoded).toMatchObject({ ok: true, value: { version } });
  }
});

test('an anchor is not followed, and that is said', async () => {
  const schema = { type: 'object', properties: { x: { $ref: '#name' } }, $defs: { n: { $anchor: 'name', ...TEXT } } };
  const operation = await diffOf(api({}), api({ media: { 'application/json': schema } }));
  expect(operation?.status).toBe('changed');
  const old = { type: 'object', properties: { x: TEXT } };
  const lost = await diffOf(
    api({ media: { 'application/json': old } }),
    api({ media: { 'application/json': schema } }),
  );
  expect(lost?.reason).toContain('"#name" names an anchor, and anchors are not followed');
});

test.each([
  ['flow lists', `a: ${'['.repeat(20_000)}`],
  ['lists in lists', `a:\n  ${'- '.repeat(20_000)}b`],
  ['maps in maps', Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
  ['lists of GraphQL', `type Query { a: ${'['.repeat(20_000)}Int${']'.repeat(20_000)} }`],
  ['values of GraphQL', `type Query { a: Int @b(c: ${'{d:'.repeat(20_000)}1${'}'.repeat(20_000)}) }`],
])('%s that are too deep are refused in words of ours', async (_, text) => {
  const decoded = await decodeDescription(text);
  expect(decoded).toMatchObject({ ok: false, flaw: { reason: 'it is nested more than 200 deep' } });
});

interface Parts {
  readonly media?: Record<string, unknown>;
  readonly operation?: object;
}

function api({ media = { 'application/json': OBJECT }, operation = {} }: Parts) {
  const content = Object.fromEntries(Object.entries(media).map(([type, schema]) => [type, { schema }]));
  const get = { ...operation, responses: { 200: { description: 'OK', content } } };
  return { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: { '/x': { get } } };
}

function schemas(types: object) {
  return { components: { schemas: types } };
}

async function diffOf(old: unknown, now: unknown) {
  const [before, after] = await Promise.all([old, now].map((each) => decodeDescription(JSON.stringify(each))));
  if (!before?.ok || !after?.ok) throw new Error('It could not be read.');
  return compareSurfaces(before.value, after.value).diff.operations[0];
}
