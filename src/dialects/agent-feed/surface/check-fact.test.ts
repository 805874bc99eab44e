import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { decodePayload } from '../../../codecs/agent-feed/decode-payload.ts';
import { encodePayload } from '../../../codecs/agent-feed/encode-payload.ts';
import { isPublicAddress } from '../../../io/undici/public-address.ts';
import { createSurfaceTable } from '../../../surface/surface-table.ts';
import {
  type Announcement,
  checkAnnouncement,
  checkDeprecation,
  checkSchemaChange,
  type Deprecation,
  type FactContext,
  type SchemaChange,
} from './check-fact.ts';
import { surfaceSite } from './surface-site.ts';

const NOW = '2026-04-27T12:00:00Z';
const ORDERS: Announcement = { endpointId: 'orders', endpoint: '/orders', protocol: 'rest', version: '1.0' };
const CHANGE: SchemaChange = { endpointId: 'orders', from: '1.0', to: '1.1', migration: {} };
const END: Deprecation = { endpointId: 'orders', sunset: '2027-01-01T00:00:00Z' };

/** A surface that has announced these ids. */
function surface(ids: readonly string[] = [], options: Partial<FactContext> = {}): FactContext {
  const site = surfaceSite('https://api.example/', { force: false, isPublicAddress });
  const table = createSurfaceTable(site.origin);
  for (const endpointId of ids) {
    table.apply(
      checkAnnouncement({ ...ORDERS, endpointId }, { site, table, nowMs: 0, force: false, isPublicAddress }).fact,
    );
  }
  return { site, table, nowMs: Date.parse(NOW), force: false, isPublicAddress, ...options };
}

/** A draft whose members have wrong values, as a caller without types gives them. */
function broken<T>(draft: T, changes: Readonly<Record<string, unknown>>): T {
  return { ...draft, ...changes };
}

clause(['AF-PA1', 'AF-PA3', 'AF-PA4'], 'an announcement has all of its fields, as strings', () => {
  const { fact, warnings } = checkAnnouncement(ORDERS, surface());
  expect(warnings).toEqual([]);
  expect(fact).toEqual({ type: 'endpoint-announcement', ...ORDERS, assertedAt: NOW });
  for (const field of ['endpointId', 'endpoint', 'protocol', 'version']) {
    for (const value of [undefined, '', null, 1.0, ' x', 'x\n', 'a\u0000b']) {
      expect(() => checkAnnouncement(broken(ORDERS, { [field]: value }), surface()), `${field} ${value}`).toThrow(
        expect.objectContaining({ name: 'SurfaceRefusedError', recovery: 'fix-config' }),
      );
    }
  }
  expect(checkAnnouncement({ ...ORDERS, protocol: 'MCP', version: '2026-01' }, surface()).warnings).toEqual([
    expect.stringContaining('"MCP" is not lower-case'),
  ]);
});

clause('AF-PA5', 'an announcement has the time from which on it holds: now, or one that was given', () => {
  expect(checkAnnouncement(ORDERS, surface()).fact).toMatchObject({ assertedAt: NOW });
  for (const assertedAt of [
    'yesterday',
    '2026-04-27',
    '2026-04-27T12:00:00',
    '2026-02-30T12:00:00Z',
    1_777_291_200_000,
    '',
  ]) {
    expect(() => checkAnnouncement(broken(ORDERS, { assertedAt }), surface()), String(assertedAt)).toThrow(
      'asserted-at',
    );
  }
});

clause('AF-PA2', 'an endpoint is an absolute URL or a path that begins with one slash', () => {
  for (const endpoint of [
    '/api/v1',
    'https://h.example/api',
    'wss://h.example/',
    '/a?b=/../c#../d',
    '/a..b/.c/...',
    '/',
  ]) {
    expect(checkAnnouncement({ ...ORDERS, endpoint }, surface())).toMatchObject({ fact: { endpoint }, warnings: [] });
  }
  for (const endpoint of ['http://h.example', 'ws://h.example/x']) {
    const { fact, warnings } = checkAnnouncement({ ...ORDERS, endpoint }, surface());
    expect(fact).toMatchObject({ endpoint });
    expect(warnings, endpoint).toEqual([expect.stringContaining('not encrypted')]);
  }
  const bad = [
    'api/v1',
    '//h.example/x',
    '/\\h.example/',
    'ftp://h.example/',
    'javascript:alert(1)',
    'mailto:a@h.example',
    'https:h',
    'https://',
    'https://u:p@h.example/',
    '/a b',
    'https://h.example:99999/',
    '/../x',
    '/a/../b',
    '/a/.',
    '/%2E%2e/x',
    'https://h.example/a/./b',
    'https://h.example/..',
  ];
  for (const endpoint of bad) {
    expect(() => checkAnnouncement({ ...ORDERS, endpoint }, surface()), endpoint).toThrow('endpoint: ');
  }
});

clause('AF-SC3', 'private and internal hosts are not described, unless it is forced or the site is one', () => {
  const hosts = [
    '10.0.0.5',
    '127.0.0.1',
    '0x7f.1',
    '192.168.1.1',
    '172.16.0.1',
    '169.254.169.254',
    '[::1]',
    '[fe80::1]',
    '[fd00::1]',
    '[::ffff:10.0.0.1]',
    'localhost',
    'a.localhost',
    'db.internal',
    'DB.Internal.',
    'printer.local',
    'intranet',
  ];
  for (const host of hosts) {
    const draft = { ...ORDERS, endpoint: `https://${host}/x` };
    expect(() => checkAnnouncement(draft, surface()), host).toThrow('private or internal');
    expect(checkAnnouncement(draft, surface([], { force: true })).fact.endpointId).toBe('orders');
  }
  for (const host of [
    '93.184.216.34',
    '[2606:2800:220:1::1]',
    'internal.example',
    'local.example.com',
    'xn--bcher-kva.example',
  ]) {
    expect(checkAnnouncement({ ...ORDERS, endpoint: `https://${host}/x` }, surface()).warnings, host).toEqual([]);
  }
  const inside = surfaceSite('https://127.0.0.1:8443/', { force: false, isPublicAddress });
  expect(
    checkAnnouncement({ ...ORDERS, endpoint: 'https://127.0.0.1:8443/x' }, surface([], { site: inside })).warnings,
  ).toEqual([]);
});

test('an id belongs to one protocol', () => {
  expect(() => checkAnnouncement({ ...ORDERS, protocol: 'mcp' }, surface(['orders']))).toThrow('announced for rest');
  expect(checkAnnouncement({ ...ORDERS, version: '2.0' }, surface(['orders'])).warnings).toEqual([]);
});

clause(['AF-PS1', 'AF-PS3', 'AF-PS4'], 'a schema-change has all of its fields', () => {
  expect(checkSchemaChange(CHANGE, surface(['orders']))).toEqual({
    fact: {
      type: 'schema-change',
      endpointId: 'orders',
      fromVersion: '1.0',
      toVersion: '1.1',
      effectiveAt: NOW,
      migration: {},
    },
    warnings: [],
  });
  for (const changes of [
    { endpointId: '' },
    { from: undefined },
    { to: undefined },
    { to: 1.1 },
    { effectiveAt: '2026-04-27' },
  ]) {
    expect(() => checkSchemaChange(broken(CHANGE, changes), surface(['orders'])), JSON.stringify(changes)).toThrow(
      'Nothing was signed',
    );
  }
  for (const migration of [undefined, null, [], 'add', 1]) {
    expect(() => checkSchemaChange(broken(CHANGE, { migration }), surface(['orders'])), String(migration)).toThrow(
      expect.objectContaining({ name: 'SurfaceRefusedError', recovery: 'fix-config' }),
    );
  }
});

clause('AF-PS2', 'a schema-change of what is not announced, or of another version, is told of', () => {
  expect(checkSchemaChange(CHANGE, surface()).warnings).toEqual([expect.stringContaining('not announced')]);
  expect(checkSchemaChange({ ...CHANGE, from: '0.9' }, surface(['orders'])).warnings).toEqual([
    expect.stringContaining('at version 1.0, not at 0.9'),
  ]);
  expect(checkSchemaChange({ ...CHANGE, to: '1.0' }, surface(['orders'])).warnings).toEqual([
    expect.stringContaining('to itself'),
  ]);
});

clause(['AF-PS5', 'AF-PS6', 'AF-PS7'], 'a delta has JSON Pointers', () => {
  const migration = {
    add: ['/currency', '/a~1b/0', '/a#b'],
    remove: ['/x'],
    rename: { '/amount': '/total' },
    retype: { '/price': { from: 'string', to: 'number' } },
  };
  expect(checkSchemaChange({ ...CHANGE, migration }, surface(['orders']))).toMatchObject({
    fact: { migration },
    warnings: [],
  });
  const bad: readonly Readonly<Record<string, unknown>>[] = [
    { add: ['#/currency'] },
    { add: ['currency'] },
    { add: [''] },
    { add: ['/a~2'] },
    { add: [1] },
    { add: '/currency' },
    { remove: { '/x': 1 } },
    { rename: { '/a': 'b' } },
    { rename: { a: '/b' } },
    { rename: { '/a': '/a' } },
    { rename: ['/a'] },
    { retype: { '/a': { from: 'string' } } },
    { retype: { '/a': 'string' } },
    { retype: { a: { from: 'string', to: 'number' } } },
  ];
  for (const delta of bad) {
    expect(
      () => checkSchemaChange({ ...CHANGE, migration: delta }, surface(['orders'])),
      JSON.stringify(delta),
    ).toThrow('migration.');
  }
});

clause('AF-PS8', 'a type token is one of six, or nullable of one', () => {
  const retyped = (to: string) =>
    checkSchemaChange({ ...CHANGE, migration: { retype: { '/a': { from: 'string', to } } } }, surface(['orders']));
  for (const token of [
    'number',
    'boolean',
    'null',
    'object',
    'array',
    'nullable<string>',
    'nullable<nullable<number>>',
  ])
    expect(retyped(token).warnings, token).toEqual([]);
  for (const token of ['integer', 'nullable<>', 'nullable<integer>', 'String', ''])
    expect(() => retyped(token), token).toThrow('migration.');
});

test('operators of later versions are kept and told of', () => {
  const migration = { add: ['/a'], remove: ['/a'], 'move-array': { from: ['/x'] } };
  const { fact, warnings } = checkSchemaChange({ ...CHANGE, migration }, surface(['orders']));
  expect(fact).toMatchObject({ migration });
  expect(warnings).toEqual([
    expect.stringContaining('migration.move-array'),
    expect.stringContaining('both adds and removes /a'),
  ]);
});

clause(['AF-PD1', 'AF-PD2', 'AF-PD3'], 'a deprecation is of what is announced, with whole times', () => {
  expect(checkDeprecation(END, surface(['orders']))).toEqual({
    fact: { type: 'deprecation', ...END, announcedAt: NOW, replacement: null, reason: null },
    warnings: [],
  });
  expect(() => checkDeprecation(END, surface())).toThrow(
    expect.objectContaining({ name: 'SurfaceRefusedError', recovery: 'fix-input' }),
  );
  const onlyChanged = surface();
  onlyChanged.table.apply(checkSchemaChange(CHANGE, onlyChanged).fact);
  expect(() => checkDeprecation(END, onlyChanged)).toThrow('not announced');
  for (const changes of [
    { sunset: '2026-10-01' },
    { sunset: undefined },
    { announcedAt: 'now' },
    { reason: 5 },
    { replacement: '' },
  ]) {
    expect(() => checkDeprecation(broken(END, changes), surface(['orders'])), JSON.stringify(changes)).toThrow(
      'Nothing was signed',
    );
  }
});

clause(['AF-PD4', 'AF-PD5'], 'a replacement is another id, and a reason any text', () => {
  const { fact, warnings } = checkDeprecation(
    { ...END, replacement: 'v2', reason: '"so" – \n😀' },
    surface(['orders', 'v2']),
  );
  expect(warnings).toEqual([]);
  const payload = encodePayload(fact);
  if (!payload.ok) throw new Error(payload.issues[0].message);
  expect(decodePayload('deprecation', payload.value)).toEqual({ ok: true, value: fact });
  expect(() => checkDeprecation({ ...END, replacement: 'orders' }, surface(['orders']))).toThrow(
    'cannot replace itself',
  );
  expect(checkDeprecation({ ...END, replacement: 'v2' }, surface(['orders'])).warnings).toEqual([
    expect.stringContaining('"v2" is not announced'),
  ]);
  expect(checkDeprecation({ ...END, sunset: '2020-01-01T00:00:00Z' }, surface(['orders'])).warnings).toEqual([
    expect.stringContaining('is before announced-at'),
  ]);

  const circle = surface(['orders', 'v2']);
  circle.table.apply(checkDeprecation({ ...END, endpointId: 'v2', replacement: 'orders' }, circle).fact);
  expect(checkDeprecation({ ...END, replacement: 'v2' }, circle).warnings).toEqual([
    expect.stringContaining('lead back'),
  ]);
});
