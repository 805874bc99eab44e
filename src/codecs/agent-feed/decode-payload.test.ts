import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodePayload } from './decode-payload.ts';
import { ENTRY_TYPES, type EntryType } from './wire.ts';

const ANNOUNCEMENT = {
  'asserted-at': '2026-04-27T12:00:00Z',
  endpoint: 'https://example.com/a2a/v1',
  'endpoint-id': 'a2a',
  protocol: 'a2a',
  version: '1.0',
};
const CHANGE = {
  'effective-at': '2026-04-27T13:00:00Z',
  'endpoint-id': 'orders-api',
  'from-version': '1.0',
  migration: { add: ['/currency'], rename: { '/amount': '/total' } },
  'to-version': '1.1',
};
const DEPRECATION = {
  'announced-at': '2026-04-27T14:00:00Z',
  'endpoint-id': 'orders-api-v1',
  reason: 'consolidating onto orders-api-v2',
  replacement: 'orders-api-v2',
  sunset: '2026-10-01T00:00:00Z',
};

/** The fact, or the clause that refuses it. */
function read(type: EntryType, payload: unknown): unknown {
  const result = decodePayload(type, typeof payload === 'string' ? payload : JSON.stringify(payload));
  return result.ok ? result.value : result.issues[0].clause;
}

const announce = (changes: object) => read('endpoint-announcement', { ...ANNOUNCEMENT, ...changes });
const change = (changes: object) => read('schema-change', { ...CHANGE, ...changes });
const deprecate = (changes: object) => read('deprecation', { ...DEPRECATION, ...changes });

clause(['AF-PA1', 'AF-PA2', 'AF-PA3'], 'reads an announcement: which endpoint, where, by which protocol', () => {
  expect(announce({})).toEqual({
    type: 'endpoint-announcement',
    endpointId: 'a2a',
    endpoint: 'https://example.com/a2a/v1',
    protocol: 'a2a',
    version: '1.0',
    assertedAt: '2026-04-27T12:00:00Z',
  });
  for (const wrong of [undefined, 7, null, '', {}, []]) {
    expect(announce({ endpoint: wrong })).toBe('AF-PA2');
    expect(announce({ protocol: wrong })).toBe('AF-PA3');
    if (wrong !== undefined) expect(announce({ 'endpoint-id': wrong })).toBe('AF-PA1');
  }
});

clause(
  ['AF-PA4', 'AF-PA5'],
  'an announcement has a version, which is any text, and the time from which on it holds',
  () => {
    expect(announce({ version: 'spring' })).toMatchObject({ version: 'spring', assertedAt: '2026-04-27T12:00:00Z' });
    for (const wrong of [undefined, 7, null, '', {}, []]) {
      expect(announce({ version: wrong })).toBe('AF-PA4');
      expect(announce({ 'asserted-at': wrong })).toBe('AF-PA5');
    }
    for (const time of ['yesterday', '2026-04-27', '2026-04-27T12:00:00', '2026-02-30T12:00:00Z', '1745755200000']) {
      expect(announce({ 'asserted-at': time }), time).toBe('AF-PA5');
    }
    expect(announce({ 'asserted-at': '2026-04-27T14:00:00.5+02:00' })).toMatchObject({ type: 'endpoint-announcement' });
  },
);

clause('AF-A7', 'without an endpoint-id the endpoint as written is the id', () => {
  expect(announce({ 'endpoint-id': undefined, endpoint: '/api' })).toMatchObject({ endpointId: '/api' });
});

clause('AF-PA2', 'an endpoint is an absolute URL, or a path on the origin', () => {
  for (const endpoint of [
    '/',
    '/api/v1',
    '/api?x=1#y',
    '/a//b',
    'https://h/api',
    'HTTPS://h/api',
    'http://h:8080/',
    'wss://h/socket',
    'grpc://h:50051',
    'https://[2001:db8::1]/x',
    'https://bücher.example/',
  ]) {
    expect(announce({ endpoint }), endpoint).toMatchObject({ endpoint });
  }
  for (const endpoint of [
    'api/v1',
    '//evil.example/api',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' https://h/',
    'https://h/ ',
    'https://h/a b',
    'https:/h/api',
    'https:h/api',
    'https:\\\\h\\api',
    'https:///h/api',
    'https://',
    'https://?x',
    'https://h:99999/',
    'https://user@h/',
    'https://user:secret@h/',
    'https://trusted.example\\@evil.example/',
    'javascript:alert(1)',
    'javascript://h/%0aalert(1)',
    'JavaScript://h/%0aalert(1)',
    'java\nscript://h/',
    'vbscript://h/x',
    'data:text/html,x',
    'data://h/x',
    'file:///etc/passwd',
    'file://h/etc/passwd',
    'blob:https://h/x',
    'mailto:a@h',
    '#x',
    '?x',
    '.',
    '\u0000',
  ]) {
    expect(announce({ endpoint }), endpoint).toBe('AF-PA2');
  }
});

clause(['AF-PS1', 'AF-PS3', 'AF-PS4'], 'reads a schema-change, field by field', () => {
  expect(change({})).toEqual({
    type: 'schema-change',
    endpointId: 'orders-api',
    fromVersion: '1.0',
    toVersion: '1.1',
    effectiveAt: '2026-04-27T13:00:00Z',
    migration: { add: ['/currency'], rename: { '/amount': '/total' } },
  });
  for (const wrong of [undefined, 7, null, '', [], ['x']]) {
    for (const name of ['endpoint-id', 'from-version', 'to-version']) expect(change({ [name]: wrong })).toBe('AF-PS1');
    expect(change({ 'effective-at': wrong })).toBe('AF-PS3');
    expect(change({ migration: wrong })).toBe('AF-PS4');
  }
  expect(change({ migration: {} })).toMatchObject({ migration: {} });
});

clause(['AF-PS5', 'AF-PS6', 'AF-PS7'], 'the operators of a delta have their shapes', () => {
  for (const wrong of [null, 'x', {}, [1], ['/a', null], [['/a']]]) {
    expect(change({ migration: { add: wrong } })).toBe('AF-PS5');
    expect(change({ migration: { remove: wrong } })).toBe('AF-PS5');
  }
  for (const wrong of [null, 'x', [], ['/a'], { '/a': 1 }, { '/a': null }, { '/a': ['/b'] }]) {
    expect(change({ migration: { rename: wrong } })).toBe('AF-PS6');
  }
  for (const wrong of [
    null,
    'x',
    [],
    { '/a': 'string' },
    { '/a': { from: 'string' } },
    { '/a': { from: 1, to: 'x' } },
  ]) {
    expect(change({ migration: { retype: wrong } })).toBe('AF-PS7');
  }
  const odd = { add: ['currency', '#/x', ''], retype: { '/n': { from: 'integer', to: 'nullable<x>', note: 1 } } };
  expect(change({ migration: odd })).toMatchObject({ migration: odd });
});

clause(['AF-C6', 'AF-N7'], 'keeps the keys of a delta that v0 does not know, exactly', () => {
  const text = JSON.stringify(CHANGE).replace(
    '"add"',
    '"__proto__":{"remove":["/x"]},"split":{"/a":["/b",1e2,null]},"add"',
  );
  const result = decodePayload('schema-change', text);
  if (!result.ok || result.value.type !== 'schema-change') throw new Error('It was refused.');
  const { migration } = result.value;
  expect(JSON.stringify(migration)).toBe(
    '{"__proto__":{"remove":["/x"]},"split":{"/a":["/b",100,null]},"add":["/currency"],"rename":{"/amount":"/total"}}',
  );
  expect(migration.remove).toBeUndefined();
  expect(Object.getPrototypeOf(migration)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).remove).toBeUndefined();
});

clause(['AF-PD1', 'AF-PD2', 'AF-PD3'], 'reads a deprecation: which endpoint, announced when, ending when', () => {
  expect(deprecate({})).toEqual({
    type: 'deprecation',
    endpointId: 'orders-api-v1',
    announcedAt: '2026-04-27T14:00:00Z',
    sunset: '2026-10-01T00:00:00Z',
    replacement: 'orders-api-v2',
    reason: 'consolidating onto orders-api-v2',
  });
  for (const wrong of [undefined, 7, null, '']) {
    expect(deprecate({ 'endpoint-id': wrong })).toBe('AF-PD1');
    expect(deprecate({ 'announced-at': wrong })).toBe('AF-PD2');
    expect(deprecate({ sunset: wrong })).toBe('AF-PD3');
  }
  expect(deprecate({ sunset: '2026-10-01' })).toBe('AF-PD3');
});

clause(['AF-PD4', 'AF-PD5'], 'a deprecation may name a replacement and a reason, or neither', () => {
  for (const nothing of [undefined, null]) {
    expect(deprecate({ replacement: nothing, reason: nothing })).toMatchObject({ replacement: null, reason: null });
  }
  expect(deprecate({ reason: '"é" \u{1F600}\n' })).toMatchObject({ reason: '"é" \u{1F600}\n' });
  for (const wrong of [7, [], {}, false]) {
    expect(deprecate({ replacement: wrong })).toBe('AF-PD4');
    expect(deprecate({ reason: wrong })).toBe('AF-PD5');
  }
});

test('refuses a payload under another type, and one that is of two types (T-AF-3)', () => {
  const payloads = { 'endpoint-announcement': ANNOUNCEMENT, 'schema-change': CHANGE, deprecation: DEPRECATION };
  for (const claimed of ENTRY_TYPES) {
    for (const real of ENTRY_TYPES.filter((type) => type !== claimed)) {
      expect(read(claimed, payloads[real]), `${real} as ${claimed}`).toBe('AF-EN1');
      expect(read(claimed, { ...payloads[real], ...payloads[claimed] }), `${real} and ${claimed}`).toBe('AF-EN1');
    }
  }
});

test('unknown fields, and single fields of other types, do no harm', () => {
  expect(announce({ 'x-note': { a: [1] }, reason: 'x' })).toMatchObject({ type: 'endpoint-announcement' });
  expect(change({ protocol: 'rest' })).toMatchObject({ type: 'schema-change' });
});

test.each([
  ['no JSON', 'x'],
  ['nothing', ''],
  ['two values', '{}{}'],
  ['an array', '[]'],
  ['a string', '"x"'],
  ['null', 'null'],
  ['a byte-order mark', `\uFEFF${JSON.stringify(ANNOUNCEMENT)}`],
  ['a key twice', JSON.stringify(ANNOUNCEMENT).replace('{', '{"endpoint":"https://evil.example/",')],
  ['an escaped key twice', JSON.stringify(ANNOUNCEMENT).replace('{', '{"\\u0065ndpoint":"https://evil.example/",')],
  ['a nested key twice', JSON.stringify({ ...ANNOUNCEMENT, x: 0 }).replace('"x":0', '"x":{"a":1,"a":2}')],
  ['100,000 levels', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
])('refuses %s', (_, text) => {
  expect(read('endpoint-announcement', text)).toBe('AF-EN9');
});

test('refuses a number that JSON has and no reader can keep, wherever it stands', () => {
  const change = {
    'endpoint-id': 'a',
    'from-version': '1',
    'to-version': '2',
    'effective-at': '2026-04-27T12:00:00Z',
    migration: { later: 'HUGE', rest: [{ deep: 1 }] },
  };
  const written = (number: string) => JSON.stringify(change).replace('"HUGE"', number);
  for (const huge of ['1e999', '-1E+999', '1e0309', '9'.repeat(400), '[{"a":1e999}]']) {
    expect(decodePayload('schema-change', written(huge)), huge).toMatchObject({ ok: false });
  }
  for (const fine of ['1e308', '1e-999', '"1e999"', '9'.repeat(300)]) {
    expect(decodePayload('schema-change', written(fine)), fine).toMatchObject({ ok: true });
  }
});

test('refuses a replacement without a name', () => {
  const end = { 'endpoint-id': 'a', 'announced-at': '2026-04-27T12:00:00Z', sunset: '2026-10-01T00:00:00Z' };
  expect(decodePayload('deprecation', JSON.stringify({ ...end, replacement: '' }))).toMatchObject({ ok: false });
  expect(decodePayload('deprecation', JSON.stringify({ ...end, replacement: null }))).toMatchObject({ ok: true });
});

test('refuses half of a surrogate pair, which no store keeps apart from others', () => {
  const text = JSON.stringify(ANNOUNCEMENT);
  expect(read('endpoint-announcement', text.replace('"a2a"', '"\\ud800"'))).toBe('AF-CJ4');
  expect(read('endpoint-announcement', text.replace('{', '{"\\udc00":1,'))).toBe('AF-CJ4');
  expect(read('endpoint-announcement', text.replace('"a2a"', '"\\ud83d\\ude00"'))).toMatchObject({
    endpointId: '\u{1F600}',
  });
});

test('never throws, whatever it is given', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ENTRY_TYPES), fc.json(), (type, json) => {
      decodePayload(type, json);
    }),
  );
  fc.assert(
    fc.property(fc.constantFrom(ANNOUNCEMENT, CHANGE, DEPRECATION), fc.nat(250), fc.string(), (payload, at, put) => {
      const text = JSON.stringify(payload);
      for (const type of ENTRY_TYPES) decodePayload(type, text.slice(0, at) + put + text.slice(at + 1));
    }),
  );
});

const LONG: readonly (readonly [string, EntryType, Record<string, unknown>, string])[] = [
  ['an endpoint-id', 'endpoint-announcement', { 'endpoint-id': 'x'.repeat(1025) }, 'AF-PA1'],
  ['an endpoint', 'endpoint-announcement', { endpoint: `/${'x'.repeat(2048)}` }, 'AF-PA2'],
  ['a protocol', 'endpoint-announcement', { protocol: 'x'.repeat(1025) }, 'AF-PA3'],
  ['a version', 'endpoint-announcement', { version: 'x'.repeat(1025) }, 'AF-PA4'],
  ['a from-version', 'schema-change', { 'from-version': 'x'.repeat(1025) }, 'AF-PS1'],
  ['a to-version', 'schema-change', { 'to-version': 'x'.repeat(1025) }, 'AF-PS1'],
  ['an added pointer', 'schema-change', { migration: { add: [`/${'x'.repeat(2048)}`] } }, 'AF-PS5'],
  ['a removed pointer', 'schema-change', { migration: { remove: [`/${'x'.repeat(2048)}`] } }, 'AF-PS5'],
  ['an old pointer', 'schema-change', { migration: { rename: { [`/${'x'.repeat(2048)}`]: '/y' } } }, 'AF-PS6'],
  ['a new pointer', 'schema-change', { migration: { rename: { '/y': `/${'x'.repeat(2048)}` } } }, 'AF-PS6'],
  [
    'a retyped pointer',
    'schema-change',
    { migration: { retype: { [`/${'x'.repeat(2048)}`]: { from: 'null', to: 'null' } } } },
    'AF-PS7',
  ],
  [
    'a type token',
    'schema-change',
    { migration: { retype: { '/x': { from: 'x'.repeat(1025), to: 'null' } } } },
    'AF-PS7',
  ],
  [
    'a list of pointers',
    'schema-change',
    { migration: { add: Array.from({ length: 6000 }, () => '/'), remove: Array.from({ length: 4001 }, () => '/') } },
    'AF-PS4',
  ],
  ['a replacement', 'deprecation', { replacement: 'x'.repeat(1025) }, 'AF-PD4'],
  ['a reason', 'deprecation', { reason: 'x'.repeat(4097) }, 'AF-PD5'],
  ['a payload', 'deprecation', { later: 'x'.repeat(65_536) }, 'AF-EN9'],
  ['a payload of wide characters', 'deprecation', { later: '\u20ac'.repeat(22_000) }, 'AF-EN9'],
];
const WHOLE: Readonly<Record<EntryType, Record<string, unknown>>> = {
  'endpoint-announcement': {
    'endpoint-id': 'a',
    endpoint: '/a',
    protocol: 'rest',
    version: '1',
    'asserted-at': '2026-04-27T12:00:00Z',
  },
  'schema-change': {
    'endpoint-id': 'a',
    'from-version': '1',
    'to-version': '2',
    'effective-at': '2026-04-27T12:00:00Z',
    migration: {},
  },
  deprecation: { 'endpoint-id': 'a', 'announced-at': '2026-04-27T12:00:00Z', sunset: '2027-04-27T12:00:00Z' },
};

test.each(LONG)('refuses %s that is longer than anybody needs', (_, type, part, id) => {
  const whole = WHOLE[type];
  expect(decodePayload(type, JSON.stringify(whole))).toMatchObject({ ok: true });
  const result = decodePayload(type, JSON.stringify({ ...whole, ...part }));
  expect(result).toMatchObject({ ok: false, issues: [{ clause: id, message: expect.stringContaining('more than') }] });
});

test('takes what is as long as it may be', () => {
  const pointers = Array.from({ length: 10_000 }, () => '/');
  const longest = { 'endpoint-id': 'x'.repeat(1024), reason: 'x'.repeat(4096), replacement: 'x'.repeat(1024) };
  expect(decodePayload('deprecation', JSON.stringify({ ...WHOLE.deprecation, ...longest }))).toMatchObject({
    ok: true,
  });
  const change = { ...WHOLE['schema-change'], migration: { add: pointers } };
  expect(decodePayload('schema-change', JSON.stringify(change))).toMatchObject({ ok: true });
});
