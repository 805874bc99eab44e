/** Live responses compared with what the feed announced (§8). */

import { announcement as announce, schemaChange as change } from './lib.mjs';

const ANNOUNCED = { type: 'endpoint-announcement', payload: announce('orders') };

function step(from, to, delta) {
  return { type: 'schema-change', payload: change('orders', from, to, delta) };
}

export function mismatches() {
  const cases = [];
  const put = (name, entries, response, expect, more = {}) => {
    cases.push({ name, 'endpoint-id': 'orders', entries: [ANNOUNCED, ...entries], ...more, response, expect });
  };
  /** One migration from 1.0 to 1.1. Without `found` the response agrees. */
  const add = (name, delta, response, found, more) =>
    put(name, [step('1.0', '1.1', delta)], response, found === undefined ? null : told('1.1', '1.0', found), more);
  const missing = (...paths) => ({ 'expected-but-missing': paths });
  const present = (...paths) => ({ 'observed-but-unannounced': paths });
  const retyped = (path, expected, observed) => ({
    'retype-mismatch': [{ path, 'expected-token': expected, 'observed-token': observed }],
  });
  const toNumber = (to = 'number') => ({ retype: { '/n': { from: 'string', to } } });

  add('an added field is there', { add: ['/currency'] }, { amount: 1, currency: 'EUR' });
  add('an added field lacks', { add: ['/currency'] }, { amount: 1 }, missing('/currency'));
  add('an added field is null', { add: ['/currency'] }, { currency: null });
  add('two added fields, one lacks', { add: ['/a', '/b'] }, { b: 1 }, missing('/a'));
  add('an added field deeper down', { add: ['/order/currency'] }, { order: { currency: 'EUR' } });
  add('an added field whose parent lacks', { add: ['/order/currency'] }, {}, missing('/order/currency'));
  add('a removed field is gone', { remove: ['/tax'] }, { amount: 1 });
  add('a removed field is there', { remove: ['/tax'] }, { tax: 1 }, present('/tax'));
  add('a removed field is there as null', { remove: ['/tax'] }, { tax: null }, present('/tax'));
  const rename = { rename: { '/amount': '/total' } };
  add('a renamed field under its new name', rename, { total: 1 });
  add('a renamed field under its old name', rename, { amount: 1 }, { ...missing('/total'), ...present('/amount') });
  add('a renamed field under both names', rename, { amount: 1, total: 1 }, present('/amount'));
  add('a renamed field under neither name', rename, {}, missing('/total'), {
    note: 'After §26 the agent expects to see the new path.',
  });
  add('a retyped field of the new type', toNumber(), { n: 5 });
  add('a retyped field of the old type', toNumber(), { n: '5' }, retyped('/n', 'number', 'string'));
  add('a retyped field that lacks', toNumber(), {});
  add('null where it may not be', toNumber(), { n: null }, retyped('/n', 'number', 'null'));
  add('null where it may be', toNumber('nullable<number>'), { n: null });
  add('a value where null may be', toNumber('nullable<number>'), { n: 1 });
  add(
    'a value of another type where null may be',
    toNumber('nullable<number>'),
    { n: true },
    retyped('/n', 'nullable<number>', 'boolean'),
  );
  add(
    'nullable of nullable',
    toNumber('nullable<nullable<object>>'),
    { n: [] },
    retyped('/n', 'nullable<nullable<object>>', 'array'),
  );
  add(
    'object and array are two types',
    { retype: { '/n': { from: 'object', to: 'array' } } },
    { n: {} },
    retyped('/n', 'array', 'object'),
  );
  add('a type token of a later version', toNumber('decimal'), { n: 'x' });
  add('an operator of a later version', { split: { '/name': ['/first', '/last'] } }, { name: 'x' });
  add(
    'an operator of a later version beside one of v0',
    { split: { '/name': ['/first'] }, add: ['/x'] },
    {},
    missing('/x'),
  );
  add('an empty delta', {}, { anything: [1, { goes: null }] });
  add(
    'all four operators agree',
    { add: ['/currency'], remove: ['/tax'], ...rename, ...toNumber() },
    { currency: 'EUR', total: 2, n: 1 },
  );
  add(
    'all four operators disagree',
    { add: ['/currency'], remove: ['/tax'], ...rename, ...toNumber() },
    { tax: 1, amount: 2, n: 'x' },
    {
      ...missing('/currency', '/total'),
      ...present('/tax', '/amount'),
      ...retyped('/n', 'number', 'string'),
    },
  );
  add('a key with a slash', { add: ['/a~1b'] }, { 'a/b': 1 });
  add('a slash in a pointer is a step', { add: ['/a~1b'] }, { a: { b: 1 } }, missing('/a~1b'));
  add('a key with a tilde', { remove: ['/m~0n'] }, { 'm~n': 1 }, present('/m~0n'));
  add('an empty key', { add: ['/'] }, { '': 1 });
  add('a key named __proto__', { add: ['/__proto__'] }, {}, missing('/__proto__'));
  for (const element of ['0', '-', '*']) {
    add(`elements of an array as ${element}: one has it`, { add: [`/items/${element}/x`] }, { items: [{}, { x: 1 }] });
    add(
      `elements of an array as ${element}: none has it`,
      { add: [`/items/${element}/x`] },
      { items: [{}, { y: 1 }] },
      missing(`/items/${element}/x`),
    );
  }
  add('an array without elements says nothing', { add: ['/items/*/x'], remove: ['/items/*/y'] }, { items: [] });
  add(
    'one element of the wrong type',
    { retype: { '/items/*/n': { from: 'string', to: 'number' } } },
    { items: [{ n: 1 }, { n: 'x' }] },
    retyped('/items/*/n', 'number', 'string'),
  );
  add('a removed name that another field takes', { remove: ['/a'], rename: { '/b': '/a' } }, { a: 1 });
  add('two fields change names', { rename: { '/a': '/b', '/b': '/a' } }, { a: 1, b: 2 });
  add('a value that is wrapped', { rename: { '/amount': '/amount/value' } }, { amount: { value: 1 } });
  const before = { id: 1, lines: [{ sku: 'x' }] };
  add('a field that no entry mentions, without baseline', { add: ['/currency'] }, { currency: 'EUR', tax_rate: 1 });
  add(
    'a field that no entry mentions, with a baseline',
    { add: ['/currency'] },
    { ...before, currency: 'EUR', tax_rate: 1 },
    present('/tax_rate'),
    { baseline: before },
  );
  add('fields of the baseline and of the delta', { add: ['/currency'] }, { ...before, currency: 'EUR' }, undefined, {
    baseline: before,
  });
  add(
    'a field in elements that no entry mentions',
    { add: ['/currency'] },
    {
      id: 1,
      lines: [
        { sku: 'x', vat: 1 },
        { sku: 'y', vat: 2 },
      ],
      currency: 'EUR',
    },
    present('/lines/0/vat'),
    { baseline: before },
  );
  add(
    'what stands in an added field is announced with it',
    { add: ['/billing'] },
    { ...before, billing: { street: 'x' } },
    undefined,
    { baseline: before },
  );

  put(
    'only the last migration counts',
    [step('1.0', '1.1', { add: ['/a'] }), step('1.1', '1.2', { add: ['/b'] })],
    { b: 1 },
    null,
  );
  put(
    'the version before the last migration',
    [step('1.0', '1.1', { add: ['/a'] }), step('1.1', '1.2', { add: ['/b'] })],
    { a: 1 },
    told('1.2', '1.1', missing('/b')),
  );
  put(
    'two migrations into one version: the last applied',
    [step('1.0', '2.0', { add: ['/a'] }), step('1.9', '2.0', { add: ['/b'] })],
    {},
    told('2.0', '1.9', missing('/b')),
  );
  put(
    'a migration that is said again',
    [step('1.0', '1.1', { add: ['/a'] }), step('1.0', '1.1', { add: ['/b'] })],
    {},
    told('1.1', '1.0', missing('/b')),
  );
  put(
    'versions with an arrow',
    [step('1->2', '2->3', { add: ['/a'] }), step('1', '2->3', { add: ['/b'] })],
    { a: 1 },
    told('2->3', '1', missing('/b')),
  );
  const announcedLater = { type: 'endpoint-announcement', payload: announce('orders', { version: '2.0' }) };
  put(
    'an announcement sets another version later',
    [step('1.0', '1.1', { add: ['/currency'] }), announcedLater],
    {},
    null,
  );
  put('only an announcement', [], { anything: 1 }, null);
  put(
    'only an announcement, with a baseline',
    [],
    { ...before, tax_rate: 1 },
    told('1.0', null, present('/tax_rate')),
    { baseline: before },
  );
  return cases;
}

function told(expectedVersion, fallbackVersion, found) {
  const none = { 'expected-but-missing': [], 'observed-but-unannounced': [], 'retype-mismatch': [] };
  return {
    'expected-version': expectedVersion,
    'observed-discrepancy': { ...none, ...found },
    'fallback-version': fallbackVersion,
  };
}
