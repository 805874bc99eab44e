import { describe, expect, test } from 'vitest';
import { compareSurfaces } from '../../diff/surface/diff-surfaces.ts';
import { decodeDescription } from './decode-description.ts';
import type { Description } from './description.ts';

const OBJECT = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

describe('the format is told by the content', () => {
  test.each([
    ['openapi', JSON.stringify(openApi(OBJECT))],
    ['openapi', 'openapi: "3.1.0"\ninfo: {title: t, version: "1"}\npaths: {}\n'],
    ['json-schema', JSON.stringify(OBJECT)],
    ['json-schema', '# a comment\ntype: object\nproperties:\n  type: {type: string}\n'],
    ['mcp', '{"tools":[]}'],
    ['mcp', '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}}'],
    ['mcp', '[{"name":"a","inputSchema":{"type":"object"}}]'],
    ['a2a', '{"name":"agent","version":"1","skills":[]}'],
    ['graphql', '# shop\n"""Root."""\ntype Query { a: Int }'],
    ['graphql', '"A text." schema { query: Q } type Q { a: Int }'],
    ['graphql', '  extend type Query { a: Int }'],
  ])('%s', async (format, text) => {
    expect((await read(text)).format).toBe(format);
  });

  test.each([
    ['', 'empty'],
    ['null', 'none of these'],
    ['"text"', 'none of these'],
    ['{}', 'none of these'],
    ['[]', 'none of these'],
    ['[1,2]', 'none of these'],
    ['{"hello":"world"}', 'hello'],
    ['{"type":"FeatureCollection","features":[]}', 'none of these'],
    ['a: b: c', 'not plain YAML'],
    ['a: 1\n---\nb: 2\n', 'several YAML documents'],
    ['a: &x [*x]\n', '200 deep'],
    ['type Query { a: }', 'not a GraphQL schema'],
    ['type Order { a: Int }', 'no Query'],
    ['type Query { a: Int } query { a }', 'holds a query'],
    ['type Query { a: Int a: Int }', 'defined twice'],
    ['{"asyncapi":"3.0.0"}', 'AsyncAPI'],
    ['{"openapi":"3.1.0","info":{}}', 'no paths'],
  ])('%s is refused', async (text, reason) => {
    const decoded = await decodeDescription(text);
    expect(decoded.ok ? 'accepted' : `${decoded.flaw.place} ${decoded.flaw.reason}`).toContain(reason);
  });
});

test('ids are stable, and unique over protocols', async () => {
  const api = openApi(OBJECT, '/orders/{order}/lines/{line}');
  const renamed = openApi(OBJECT, '/orders/{id}/lines/{no}');
  expect((await read(api)).operations[0]?.endpointId).toBe('rest:GET:/orders/{}/lines/{}');
  expect((await read(renamed)).operations[0]?.endpointId).toBe('rest:GET:/orders/{}/lines/{}');
  expect((await read('{"tools":[{"name":"orders","inputSchema":{}}]}')).operations[0]?.endpointId).toBe('mcp:orders');
  expect((await read('{"name":"a","skills":[{"id":"orders"}]}')).operations[0]?.endpointId).toBe('a2a:orders');
  expect((await read('type Query { orders: Int }')).operations[0]?.endpointId).toBe('graphql:Query.orders');
  expect((await read('schema { query: Q } type Q { orders: Int }')).operations[0]?.endpointId).toBe(
    'graphql:Query.orders',
  );
});

test.each([
  ['an enum', { enum: ['a', null] }, 'nullable<string>'],
  ['a const', { const: 4 }, 'number'],
  ['an integer', { type: 'integer' }, 'number'],
  ['oneOf with null', { oneOf: [{ type: 'boolean' }, { type: 'null' }] }, 'nullable<boolean>'],
  ['anyOf of one type', { anyOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
  ['anyOf of what must be there', { ...OBJECT, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, 'object'],
  ['nullable beside allOf', { nullable: true, allOf: [{ type: 'object' }] }, 'nullable<object>'],
  ['nullable beside a reference', { nullable: true, $ref: '#/components/schemas/Name' }, 'nullable<array>'],
  ['a map', { additionalProperties: { type: 'string' } }, 'object'],
  ['null alone', { type: 'null' }, 'null'],
  ['a description beside a reference', { description: 'd', $ref: '#/components/schemas/Name' }, 'array'],
])('%s has a token', async (_, schema, token) => {
  const [old, now] = [{ type: 'string' }, schema].map((x) => openApi({ type: 'object', properties: { x } }));
  const operation = await diffOf(old, now);
  expect(operation?.migration?.retype).toMatchObject({ '/x': { from: 'string', to: token } });
});

test('what is only sent is no part of an answer, and what is only answered no part of what is sent', async () => {
  const user = (extra: object) => ({
    User: {
      type: 'object',
      required: ['name', ...Object.keys(extra)],
      properties: { name: { type: 'string' }, ...extra },
    },
  });
  const schema = { $ref: '#/components/schemas/User' };
  const [old, now] = [
    {},
    { password: { type: 'string', writeOnly: true }, id: { type: 'string', readOnly: true } },
  ].map((extra) => {
    const api = openApi(schema, '/users', user(extra));
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    return { ...api, paths: { '/users': { post: { ...api.paths['/users']?.get, requestBody } } } };
  });
  expect((await diffOf(old, now))?.migration).toEqual({
    add: ['/id'],
    request: { add: ['/body/password'], required: ['/body/password'] },
  });
});

describe('hostile descriptions', () => {
  test('names of prototypes are names', async () => {
    const old = '{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}';
    const now =
      '{"type":"object","required":["a","__proto__","constructor"],"properties":{"a":{"type":"string"},"__proto__":{"type":"string"},"constructor":{"type":"number"}}}';
    expect((await diffOf(old, now))?.migration).toEqual({ add: ['/__proto__', '/constructor'] });
    const yaml = 'type: object\nrequired: [a]\nproperties:\n  a: {type: string}\n  __proto__: {type: string}\n';
    expect((await diffOf(old, yaml))?.migration).toEqual({ addOptional: ['/__proto__'] });
    expect({}).not.toHaveProperty('type');
    const missing = await diffOf(old, '{"type":"object","properties":{"a":{"$ref":"#/__proto__/x"}}}');
    expect(missing?.reason).toContain('is not in the document');
  });

  test('types that double at every step are not written out', async () => {
    const chain = (leaf: string) =>
      Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [
          `T${at}`,
          at === 59
            ? { type: leaf }
            : {
                type: 'object',
                properties: {
                  l: { $ref: `#/components/schemas/T${at + 1}` },
                  r: { $ref: `#/components/schemas/T${at + 1}` },
                },
              },
        ]),
      );
    const schema = { $ref: '#/components/schemas/T0' };
    const [old, same, now] = ['string', 'string', 'number'].map((leaf) => openApi(schema, '/x', chain(leaf)));
    expect((await diffOf(old, same))?.status).toBe('same');
    const { retype, recursive } = (await diffOf(old, now))?.migration ?? {};
    // Each type is told once, and where it stands again.
    expect(Object.keys(retype ?? {})).toHaveLength(2);
    expect(Object.keys(recursive ?? {})).toHaveLength(58);
    expect(recursive).toMatchObject({ '/r': '/l', '/l/r': '/l/l' });
  });

  test('long chains, deep nesting and many parts are refused, and nothing overflows', async () => {
    const old = openApi(OBJECT);
    const links = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`T${at}`, { $ref: `#/components/schemas/T${at + 1}` }]),
    );
    expect((await diffOf(old, openApi({ $ref: '#/components/schemas/T0' }, '/x', links)))?.reason).toContain(
      'references',
    );
    expect((await diffOf(old, openApi({ allOf: Array(5000).fill(OBJECT) })))?.reason).toContain('parts');
    const deepTypes = Object.fromEntries(
      Array.from({ length: 3000 }, (_, at) => [
        `T${at}`,
        {
          type: 'object',
          properties: { n: at === 2999 ? { type: 'string' } : { $ref: `#/components/schemas/T${at + 1}` } },
        },
      ]),
    );
    const deep = openApi({ $ref: '#/components/schemas/T0' }, '/x', deepTypes);
    expect((await diffOf(deep, deep))?.status).toMatch(/same|incomparable/);
    for (const text of [
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `type Query { a: ${'['.repeat(100_000)}Int${']'.repeat(100_000)} }`,
      `a: ${'['.repeat(20_000)}`,
    ]) {
      expect((await decodeDescription(text)).ok).toBe(false);
    }
  });
});

test('a type that holds itself through a list, a map or another type is compared once', async () => {
  const types = (extra: object) => ({
    Folder: {
      type: 'object',
      required: ['files'],
      properties: { files: { type: 'array', items: { $ref: '#/components/schemas/File' } } },
    },
    File: {
      type: 'object',
      required: ['name', ...Object.keys(extra)],
      properties: { name: { type: 'string' }, in: { $ref: '#/components/schemas/Folder' }, ...extra },
    },
  });
  const schema = { $ref: '#/components/schemas/Folder' };
  const [old, now] = [{}, { size: { type: 'integer' } }].map((extra) => openApi(schema, '/f', types(extra)));
  expect((await diffOf(old, now))?.migration).toEqual({
    add: ['/files/0/size'],
    recursive: { '/files/0/in': '' },
  });
});

function openApi(
  schema: unknown,
  path = '/x',
  schemas: object = { Name: { type: 'array', items: { type: 'string' } } },
) {
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'OK', content } };
  return {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: { [path]: { get: { responses } } },
    components: { schemas },
  };
}

async function read(description: unknown): Promise<Description> {
  const decoded = await decodeDescription(typeof description === 'string' ? description : JSON.stringify(description));
  if (!decoded.ok) throw new Error(`${decoded.flaw.place}: ${decoded.flaw.reason}`);
  return decoded.value;
}

async function diffOf(old: unknown, now: unknown) {
  return compareSurfaces(await read(old), await read(now)).diff.operations[0];
}
