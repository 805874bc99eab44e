import { expect, test } from 'vitest';
import { decodeDescription } from '../../codecs/api-description/decode-description.ts';
import { compareSurfaces } from './diff-surfaces.ts';

test('every likely rename is offered; what was always there comes first for what is always there', async () => {
  const [old, now] = [
    { type: 'object', properties: { id: N, amount: N, tax: N }, required: ['id', 'amount'] },
    { type: 'object', properties: { id: N, total: N }, required: ['id', 'total'] },
  ];
  expect((await diffOf(old, now))?.suggestions).toMatchObject([
    { is: 'rename', from: '/amount', to: '/total' },
    { is: 'rename', from: '/tax', to: '/total' },
  ]);
});

test('many fields that went and came give a short list', async () => {
  const many = (start: string) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${start}${at}`, N])),
    required: ['id'],
  });
  const suggestions = (await diffOf(many('field'), many('member')))?.suggestions ?? [];
  expect(suggestions).toHaveLength(50);
});

test('a new field of GraphQL is one that an answer may lack: the caller chooses', async () => {
  const [old, now] = ['', 'currency: String!'].map(
    (more) => `type Query { order: Order! } type Order { id: ID! ${more} }`,
  );
  expect((await diffOf(old, now))?.migration).toEqual({ addOptional: ['/data/order/currency'] });
});

const N = { type: 'number' };

async function diffOf(old: unknown, now: unknown) {
  return (await compared(old, now)).diff.operations[0];
}

async function compared(old: unknown, now: unknown) {
  const [before, after] = await Promise.all(
    [old, now].map((each) => decodeDescription(typeof each === 'string' ? each : JSON.stringify(each))),
  );
  if (!before?.ok || !after?.ok) throw new Error('It could not be read.');
  return compareSurfaces(before.value, after.value);
}

test('types that hold each other in many ways are told once, in every operation', async () => {
  const [old, now] = ['string', 'number'].map((leaf) => web(leaf));
  const { operations } = (await compared(old, now)).diff;
  expect(new Set(operations.map(({ status }) => status))).toEqual(new Set(['changed']));
  const { retype = {}, recursive = {} } = operations[0]?.migration ?? {};
  expect(Object.keys(retype)).toHaveLength(60);
  expect(Object.keys(recursive)).toHaveLength(121);
});

test('what changes in too many places says how many are too many', async () => {
  const wide = (type: string) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 1100 }, (_, at) => [`f${at}`, { type: 'object', properties: { x: { type } } }]),
    ),
  });
  expect((await diffOf(wide('string'), wide('number')))?.reason).toContain('more than 1000 places');
});

/** 20 operations, 60 types with three others in each, and one leaf that all of them hold. */
function web(leaf: string) {
  const types = Array.from({ length: 60 }, (_, at) => {
    const others = [13, 26, 39].map((step) => [`r${step}`, { $ref: `#/components/schemas/T${(at * 7 + step) % 60}` }]);
    return [`T${at}`, { type: 'object', properties: { price: { type: leaf }, ...Object.fromEntries(others) } }];
  });
  const operation = (at: number) => {
    const data = { type: 'array', items: { $ref: `#/components/schemas/T${at % 60}` } };
    const schema = { type: 'object', properties: { data } };
    return { get: { responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } } } };
  };
  const paths = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`/p${at}`, operation(at)]));
  const info = { title: 't', version: '1' };
  return { openapi: '3.1.0', info, paths, components: { schemas: Object.fromEntries(types) } };
}
