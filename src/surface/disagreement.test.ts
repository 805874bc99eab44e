import { describe, expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { expectLinear } from '../../test/support/count-steps.ts';
import type { MigrationDelta } from '../codecs/agent-feed/wire.ts';
import { findDisagreement } from './disagreement.ts';
import type { EndpointRecord } from './endpoint-record.ts';
import { shapeOf } from './shape.ts';
import { createSurfaceTable } from './surface-table.ts';

describe('the operators of a migration', () => {
  clause(['AF-L3', 'AF-L9', 'AF-CT5'], 'a field that was to come is missed', () => {
    const record = migrated({ add: ['/currency'] });
    expect(findDisagreement(record, shapeOf({ amount: 1 }))).toEqual({
      'expected-version': '1.1',
      'observed-discrepancy': {
        'expected-but-missing': ['/currency'],
        'observed-but-unannounced': [],
        'retype-mismatch': [],
      },
      'fallback-version': '1.0',
    });
    expect(findDisagreement(record, shapeOf({ amount: 1, currency: 'EUR' }))).toBeUndefined();
    expect(findDisagreement(record, shapeOf({ currency: null }))).toBeUndefined();
  });

  clause('AF-L4', 'a field that was to go is noticed', () => {
    const record = migrated({ remove: ['/tax', '/old/deep'] });
    expect(discrepancy(record, { tax: null, old: { deep: 1 } })).toMatchObject({
      'expected-but-missing': [],
      'observed-but-unannounced': ['/tax', '/old/deep'],
    });
    expect(discrepancy(record, { old: {} })).toBeUndefined();
  });

  clause('AF-L5', 'a renamed field is wanted under its new name and not under its old one', () => {
    const record = migrated({ rename: { '/amount': '/total' } });
    const both = { 'expected-but-missing': ['/total'], 'observed-but-unannounced': ['/amount'] };
    expect(discrepancy(record, { amount: 1 })).toMatchObject(both);
    expect(discrepancy(record, { total: 1 })).toBeUndefined();
    expect(discrepancy(record, { amount: 1, total: 1 })).toMatchObject({ 'observed-but-unannounced': ['/amount'] });
    expect(discrepancy(record, {})).toMatchObject({
      'expected-but-missing': ['/total'],
      'observed-but-unannounced': [],
    });
  });

  clause(['AF-L6', 'AF-L7', 'AF-CT5'], 'a value of another type than promised is told with both types', () => {
    const record = migrated({ retype: { '/n': { from: 'string', to: 'number' } } });
    expect(discrepancy(record, { n: '5' })).toEqual({
      'expected-but-missing': [],
      'observed-but-unannounced': [],
      'retype-mismatch': [{ path: '/n', 'expected-token': 'number', 'observed-token': 'string' }],
    });
    expect(discrepancy(record, { n: 5 })).toBeUndefined();
    expect(discrepancy(record, {})).toBeUndefined();
    expect(discrepancy(record, { n: null })).toMatchObject({ 'retype-mismatch': [{ 'observed-token': 'null' }] });
  });

  test.each([
    ['nullable<number>', null, true],
    ['nullable<number>', 1, true],
    ['nullable<number>', 'x', false],
    ['nullable<nullable<object>>', {}, true],
    ['nullable<nullable<object>>', [], false],
    ['null', 0, false],
    ['decimal', 'x', true],
  ])('where %s is promised, %j agrees: %s', (to, value, agrees) => {
    const record = migrated({ retype: { '/n': { from: 'string', to } } });
    expect(findDisagreement(record, shapeOf({ n: value })) === undefined).toBe(agrees);
  });

  test('the response itself may change its type', () => {
    const record = migrated({ retype: { '': { from: 'array', to: 'object' } } });
    expect(discrepancy(record, [])).toMatchObject({ 'retype-mismatch': [{ path: '', 'observed-token': 'array' }] });
    expect(discrepancy(record, {})).toBeUndefined();
  });

  clause('AF-L8', 'nothing is told where all is as foretold', () => {
    const record = migrated({
      add: ['/currency'],
      remove: ['/tax'],
      rename: { '/amount': '/total' },
      retype: { '/n': { from: 'string', to: 'nullable<number>' } },
    });
    expect(discrepancy(record, { currency: 'EUR', total: 1, n: null, more: true })).toBeUndefined();
  });

  clause(['AF-C7', 'AF-N7'], 'operators of later versions are not used', () => {
    const record = migrated({ split: { '/name': ['/first', '/last'] }, add: ['/x'], deprecate: ['/x'] });
    expect(discrepancy(record, { x: 1, name: 'A B' })).toBeUndefined();
  });

  test('a name that goes to one field and comes from another may stand there', () => {
    expect(discrepancy(migrated({ remove: ['/a'], rename: { '/b': '/a' } }), { a: 1 })).toBeUndefined();
    expect(discrepancy(migrated({ rename: { '/a': '/b', '/b': '/a' } }), { a: 1, b: 2 })).toBeUndefined();
    expect(discrepancy(migrated({ remove: ['/a'], add: ['/a'] }), { a: 1 })).toBeUndefined();
    expect(discrepancy(migrated({ remove: ['/a'], rename: { '/b': '/c' } }), { a: 1, b: 2 })).toMatchObject({
      'expected-but-missing': ['/c'],
      'observed-but-unannounced': ['/a', '/b'],
    });
  });

  test('a value that is wrapped into an object keeps its place', () => {
    const record = migrated({ rename: { '/amount': '/amount/value' }, add: ['/amount/currency'] });
    expect(discrepancy(record, { amount: { value: 1, currency: 'EUR' } })).toBeUndefined();
    expect(discrepancy(record, { amount: 1 })).toMatchObject({
      'expected-but-missing': ['/amount/currency', '/amount/value'],
      'observed-but-unannounced': [],
    });
  });

  test('keys with slashes and tildes are found under their pointers', () => {
    const record = migrated({ add: ['/a~1b', '/m~0n', '/~01'] });
    expect(discrepancy(record, { 'a/b': 1, 'm~n': 1, '~1': 1 })).toBeUndefined();
    expect(discrepancy(record, { a: { b: 1 } })).toMatchObject({
      'expected-but-missing': ['/a~1b', '/m~0n', '/~01'],
    });
  });
});

describe('elements of an array', () => {
  test.each(['0', '-', '*'])('called %s: a field is there when one of them has it', (element) => {
    const path = `/items/${element}/x`;
    const record = migrated({ add: [path] });
    expect(discrepancy(record, { items: [{}, { x: 1 }] })).toBeUndefined();
    expect(discrepancy(record, { items: [{}, { y: 1 }] })).toMatchObject({ 'expected-but-missing': [path] });
    expect(discrepancy(record, { items: [] })).toBeUndefined();
    expect(discrepancy(record, {})).toMatchObject({ 'expected-but-missing': [path] });
    expect(discrepancy(migrated({ remove: [path] }), { items: [{}, { x: 1 }] })).toMatchObject({
      'observed-but-unannounced': [path],
    });
  });

  test('are each held against a type, and told once', () => {
    const record = migrated({ retype: { '/items/-/n': { from: 'string', to: 'number' } } });
    expect(discrepancy(record, { items: [{ n: 1 }, { n: null }, { n: 'a' }, { n: 'b' }] })).toMatchObject({
      'retype-mismatch': [{ path: '/items/-/n', 'observed-token': 'string' }],
    });
    expect(discrepancy(record, { items: [{ n: 1 }, {}, { n: 2 }] })).toBeUndefined();
  });
});

describe('which migration', () => {
  clause('AF-L2', 'the last one into the current version is looked at, and no other', () => {
    const record = recordOf(['1.0', '1.1', { add: ['/a'] }], ['1.1', '1.2', { add: ['/b'] }]);
    expect(discrepancy(record, { b: 1 })).toBeUndefined();
    expect(findDisagreement(record, shapeOf({ a: 1 }))).toMatchObject({
      'expected-version': '1.2',
      'observed-discrepancy': { 'expected-but-missing': ['/b'] },
      'fallback-version': '1.1',
    });
  });

  clause('AF-L11', 'tells the version before it, and null where none is recorded', () => {
    const two = recordOf(['1.0', '2.0', { add: ['/a'] }], ['1.9', '2.0', { add: ['/b'] }]);
    expect(findDisagreement(two, shapeOf({}))).toMatchObject({ 'fallback-version': '1.9' });
    const announced: EndpointRecord = { endpointId: 'orders', version: '1.0', migrations: [] };
    expect(findDisagreement(announced, shapeOf({ x: 1 }), shapeOf({}))).toMatchObject({ 'fallback-version': null });
  });

  test('nothing is foretold of a version that an announcement set later', () => {
    const record = { ...migrated({ add: ['/currency'] }), version: '2.0' };
    expect(findDisagreement(record, shapeOf({}))).toBeUndefined();
  });

  test('a version with an arrow in it is a version', () => {
    const record = recordOf(['1->2', '2->3', { add: ['/a'] }], ['x', '3', {}], ['1', '2->3', { add: ['/b'] }]);
    expect(findDisagreement(record, shapeOf({ a: 1 }))).toMatchObject({
      'expected-version': '2->3',
      'observed-discrepancy': { 'expected-but-missing': ['/b'] },
      'fallback-version': '1',
    });
  });
});

describe('a field that no entry mentions', () => {
  const record = recordOf(['1.0', '1.1', { add: ['/tip'], remove: ['/fee'] }], ['1.1', '1.2', { add: ['/currency'] }]);
  const before = { id: 1, lines: [{ sku: 'a' }] };
  const now = { ...before, currency: 'EUR', tip: 1 };

  clause('AF-L10', 'is told where it is known what there was before', () => {
    expect(discrepancy(record, { ...now, tax_rate: 2 }, before)).toMatchObject({
      'observed-but-unannounced': ['/tax_rate'],
    });
    expect(discrepancy(record, { ...now, tax_rate: 2 })).toBeUndefined();
    expect(discrepancy(record, now, before)).toBeUndefined();
    expect(discrepancy(record, { ...now, fee: 1 }, before)).toBeUndefined();
  });

  test('is told without what stands in it, and once for all elements of an array', () => {
    const lines = [{ sku: 'a', vat: { rate: 1 } }, { sku: 'b', vat: { rate: 2 } }, { sku: 'c' }];
    expect(discrepancy(record, { ...now, lines }, before)).toMatchObject({
      'observed-but-unannounced': ['/lines/0/vat'],
    });
  });

  test('is not one inside a field that was announced, nor one around it', () => {
    const nested = migrated({ add: ['/billing', '/ship/to'], rename: { '/amount': '/total' } });
    const response = { billing: { street: 'x' }, ship: { to: { zip: 1 } }, total: { value: 1 } };
    expect(discrepancy(nested, response, { amount: { value: 1 } })).toBeUndefined();
    expect(discrepancy(nested, { ...response, ship: { to: 1, from: 2 } }, {})).toMatchObject({
      'observed-but-unannounced': ['/ship/from'],
    });
  });
});

clause(['AF-L12', 'AF-L13'], 'neither the response nor the record is changed', () => {
  const record = frozen(
    migrated({ add: ['/a'], rename: { '/b': '/c' }, retype: { '/d': { from: 'string', to: 'null' } } }),
  );
  const response = frozen({ b: { deep: [1, 2] }, d: 'x' });
  const baseline = shapeOf(frozen({ d: '' }));
  expect(findDisagreement(record, shapeOf(response), baseline)).toBeDefined();
  expect(record.version).toBe('1.1');
});

clause(
  'AF-L15',
  'no answer at all is no response: an endpoint of which nothing was observed has no disagreement',
  () => {
    const table = createSurfaceTable(new URL('https://api.example'));
    expect(table.find('orders')).toEqual([]);
    expect(findDisagreement(migrated({ add: ['/items/-/x'] }), new Map([['/items', 'array']]))).toBeUndefined();
  },
);

describe('hostile sizes', () => {
  test('many paths against many elements take no more steps than both', async () => {
    const recordWith = (paths: number) => {
      const add = Array.from({ length: paths }, (_, n) => `/items/-/f${n}`);
      return migrated({ add, remove: add.map((path) => `${path}/x`) });
    };
    const observed = (elements: number) => shapeOf({ items: Array.from({ length: elements }, () => ({})) });
    const found = findDisagreement(recordWith(10_000), observed(90_000), shapeOf({}));
    expect(found?.['observed-discrepancy']['expected-but-missing']).toHaveLength(10_000);
    await expectLinear<typeof import('./disagreement.ts'), [EndpointRecord, ReturnType<typeof shapeOf>]>(
      new URL('./disagreement.ts', import.meta.url),
      ({ findDisagreement }, [record, shape]) => findDisagreement(record, shape, new Map()),
      (count) => [recordWith(count), observed(10 * count)],
    );
  });

  test('a field behind the limit of a huge response is not called missing', () => {
    const response = { items: Array.from({ length: 200_000 }, (_, n) => n) };
    expect(discrepancy(migrated({ add: ['/items/-/x'] }), response)).toBeUndefined();
  });

  test('a pointer of a million segments does no harm', () => {
    expect(discrepancy(migrated({ add: ['/a'.repeat(1_000_000)] }), { a: 1 })).toBeUndefined();
  });
});

function migrated(delta: MigrationDelta): EndpointRecord {
  return recordOf(['1.0', '1.1', delta]);
}

function recordOf(...steps: readonly [string, string, MigrationDelta][]): EndpointRecord {
  const migrations = steps.map(([from, to, delta]) => ({ from, to, delta, effectiveAt: '2026-04-27T13:00:00Z' }));
  return { endpointId: 'orders', version: migrations.at(-1)?.to ?? '', migrations };
}

function discrepancy(record: EndpointRecord, response: unknown, baseline?: unknown) {
  const known = baseline === undefined ? undefined : shapeOf(baseline);
  return findDisagreement(record, shapeOf(response), known)?.['observed-discrepancy'];
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
