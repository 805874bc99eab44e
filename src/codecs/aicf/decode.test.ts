import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { decodeAicfDiscovery, decodeEvent, decodeEvents, isCompatibleVersion, MAX_LINE_LENGTH } from './decode.ts';
import { encodeDiscovery, encodeEvent } from './encode.ts';

const EVENT = {
  id: '01J3Z6B1KQX6XYT',
  action: 'update',
  url: 'https://docs.example/pricing',
  time: '2025-08-21T10:15:00Z',
};
const DISCOVERY = { aicf_version: '0.1', self: 'https://docs.example/ai-changes.ndjson' };

const eventWith = (fields: object) => decodeEvent(JSON.stringify({ ...EVENT, ...fields }));
const discoveryWith = (fields: object) => decodeAicfDiscovery(JSON.stringify({ ...DISCOVERY, ...fields }));
const refused = (clauseId: string) => ({ ok: false, issues: [{ clause: clauseId }] });
const line = (id: string, fields: object = {}) => JSON.stringify({ ...EVENT, id, ...fields });
const idsOf = (text: string) => decodeEvents(text).events.map((event) => event.id);

clause('AICF-E1', 'refuses an event without an id', () => {
  for (const id of [undefined, '', 5, null]) expect(eventWith({ id })).toMatchObject(refused('AICF-E1'));
});

clause('AICF-E5', 'refuses any other action', () => {
  for (const action of [undefined, 'Update', 'move', null])
    expect(eventWith({ action })).toMatchObject(refused('AICF-E5'));
  for (const action of ['create', 'update', 'delete'])
    expect(eventWith({ action })).toMatchObject({ value: { action } });
});

clause('AICF-E6', 'refuses a url that is not absolute', () => {
  const bad = [
    undefined,
    '/pricing',
    'docs.example/pricing',
    'https:/x',
    'https:x',
    ' https://h/',
    'https://h/a b',
    'https://',
    'javascript:alert(1)',
    7,
  ];
  for (const url of bad) expect(eventWith({ url })).toMatchObject(refused('AICF-E6'));
});

clause('AICF-E7', 'keeps a fragment of the url', () => {
  expect(eventWith({ url: 'https://docs.example/p#a' })).toMatchObject({ value: { url: 'https://docs.example/p#a' } });
});

clause('AICF-E8', 'refuses a time that is not RFC 3339, and reads an offset as UTC', () => {
  for (const time of [undefined, '2025-08-21 12:34', '2025-08-21T12:34:56', '2025-02-30T00:00:00Z', 1755774000]) {
    expect(eventWith({ time })).toMatchObject(refused('AICF-E8'));
  }
  expect(eventWith({ time: '2025-08-21T12:15:00+02:00' })).toMatchObject({ value: { time: '2025-08-21T10:15:00Z' } });
  expect(eventWith({ time: '2016-12-31T23:59:60Z' })).toMatchObject({ value: { time: '2017-01-01T00:00:00Z' } });
  expect(eventWith({ time: '2025-08-21T10:15:00.000Z' })).toMatchObject({
    value: { time: '2025-08-21T10:15:00.000Z' },
  });
});

clause(['AICF-E13', 'AICF-E10', 'AICF-E12'], 'anchor, checksum and note are strings or absent', () => {
  for (const key of ['anchor', 'checksum', 'note']) {
    for (const value of [null, 1, {}, [], false])
      expect(eventWith({ [key]: value })).toMatchObject(refused('AICF-E13'));
    expect(eventWith({ [key]: 'x' })).toMatchObject({ ok: true, value: { [key]: 'x' } });
  }
  expect(decodeEvent(line('a'))).toEqual({ ok: true, value: { ...EVENT, id: 'a' } });
});

clause('AICF-E9', 'an anchor is a plain name; an empty one names no section', () => {
  expect(eventWith({ anchor: '#tiers' })).toMatchObject({ value: { anchor: 'tiers' } });
  expect(eventWith({ anchor: '' })).toEqual({ ok: true, value: EVENT });
});

clause('AICF-E14', 'leaves out fields that it does not know', () => {
  expect(eventWith({ color: 'red', embed_ref: { a: 1 } })).toEqual({ ok: true, value: EVENT });
});

test('fields of the prototype are no fields of the event', () => {
  const text =
    '{"__proto__":{"id":"a","action":"create","url":"https://h.example/","time":"2025-08-21T10:15:00Z"},"constructor":1}';
  expect(decodeEvent(text)).toMatchObject({ ok: false, issues: [{ clause: 'AICF-E1' }, {}, {}, {}] });
  const decoded = decodeEvent(
    text.replace(
      '{"__proto__":',
      `{"id":"b","action":"delete","url":"https://h.example/","time":"2025-08-21T10:15:00Z","__proto__":`,
    ),
  );
  expect(decoded).toEqual({
    ok: true,
    value: { id: 'b', action: 'delete', url: 'https://h.example/', time: '2025-08-21T10:15:00Z' },
  });
});

clause('AICF-F4', 'refuses a line that is not one JSON object', () => {
  for (const text of ['', '[]', '1', 'null', '"x"', '{"id":', `${line('a')}${line('b')}`, '<!doctype html>']) {
    expect(decodeEvent(text)).toMatchObject(refused('AICF-F4'));
  }
});

test('refuses a line of 10 MB without repeating it', () => {
  const long = decodeEvent(line('a', { note: 'x'.repeat(10 * 1024 * 1024) }));
  expect(long).toMatchObject(refused('AICF-F4'));
  expect(JSON.stringify(long).length).toBeLessThan(300);
  expect(decodeEvent(line('a', { note: 'x'.repeat(MAX_LINE_LENGTH - 200) })).ok).toBe(true);
});

test('names every fault of an event, shortened', () => {
  const decoded = decodeEvent(JSON.stringify({ id: '', action: 'x'.repeat(500), url: 1, time: 2 }));
  expect(decoded).toMatchObject({
    issues: [{ clause: 'AICF-E1' }, { clause: 'AICF-E5' }, { clause: 'AICF-E6' }, { clause: 'AICF-E8' }],
  });
  expect(JSON.stringify(decoded).length).toBeLessThan(600);
});

test('a bad line in the middle is reported with its number and does not stop the feed', () => {
  const decoded = decodeEvents(`${line('a')}\n\nnot json\n${line('b', { action: 'move' })}\n${line('c')}\n`);
  expect(decoded.events.map((event) => event.id)).toEqual(['a', 'c']);
  expect(decoded.issues).toMatchObject([
    { line: 3, clause: 'AICF-F4' },
    { line: 4, clause: 'AICF-E5' },
  ]);
});

test('an unterminated last line is used when it is an event, else left for the next poll', () => {
  expect(decodeEvents(`${line('a')}\n${line('b')}`)).toMatchObject({
    events: [{ id: 'a' }, { id: 'b' }],
    issues: [],
    rest: '',
  });
  const torn = line('b').slice(0, 20);
  expect(decodeEvents(`${line('a')}\n${torn}`)).toMatchObject({ events: [{ id: 'a' }], issues: [], rest: torn });
});

test('a feed cut at any byte gives a prefix of its events, no issue, and all of them once the rest has come', () => {
  const feed = ['a', 'b', 'c'].map((id) => `${line(id)}\n`).join('');
  for (let cut = 0; cut <= feed.length; cut++) {
    const first = decodeEvents(feed.slice(0, cut));
    const second = decodeEvents(first.rest + feed.slice(cut));
    expect([...first.events, ...second.events].map((event) => event.id)).toEqual(['a', 'b', 'c']);
    expect([...first.issues, ...second.issues]).toEqual([]);
  }
});

test('tolerates blank lines, CRLF and a byte order mark', () => {
  expect(decodeEvents(`\uFEFF${line('a')}\r\n\r\n \n${line('b')}\r\n`)).toMatchObject({
    events: [{ id: 'a' }, { id: 'b' }],
    issues: [],
    rest: '',
  });
  expect(decodeEvents('')).toEqual({ events: [], issues: [], rest: '' });
});

clause('AICF-C4', 'an id that was seen is dropped', () => {
  expect(idsOf(`${line('a')}\n${line('b')}\n${line('a', { action: 'delete' })}\n${line('b')}`)).toEqual(['a', 'b']);
});

clause('AICF-D3', 'refuses a discovery document that is not one JSON object', () => {
  for (const text of [
    '',
    '[]',
    'null',
    '{}{}',
    `${JSON.stringify(DISCOVERY)}\n${JSON.stringify(DISCOVERY)}`,
    '<html>',
  ]) {
    expect(decodeAicfDiscovery(text)).toMatchObject(refused('AICF-D3'));
  }
  expect(decodeAicfDiscovery(`\uFEFF${JSON.stringify(DISCOVERY)}`)).toEqual({ ok: true, value: DISCOVERY });
});

clause('AICF-D4', 'refuses a version that is no string', () => {
  for (const aicf_version of [undefined, 0.1, null])
    expect(discoveryWith({ aicf_version })).toMatchObject(refused('AICF-D4'));
});

clause('AICF-D5', 'refuses a self that is no absolute URL', () => {
  for (const self of [undefined, '/ai-changes.ndjson', 'ai', 5])
    expect(discoveryWith({ self })).toMatchObject(refused('AICF-D5'));
});

clause(['AICF-D6', 'AICF-D7'], 'license and about are strings or absent', () => {
  expect(discoveryWith({ license: 4 })).toMatchObject(refused('AICF-D6'));
  expect(discoveryWith({ about: null })).toMatchObject(refused('AICF-D7'));
  const both = { license: 'CC BY 4.0', about: 'https://docs.example/about' };
  expect(discoveryWith(both)).toEqual({ ok: true, value: { ...DISCOVERY, ...both } });
});

clause(['AICF-D8', 'AICF-D9'], 'ttl_seconds is an integer of at least 0', () => {
  for (const ttl_seconds of [-1, '60', 1.5, null])
    expect(discoveryWith({ ttl_seconds })).toMatchObject(refused('AICF-D9'));
  for (const ttl_seconds of [0, 60]) expect(discoveryWith({ ttl_seconds })).toMatchObject({ value: { ttl_seconds } });
});

clause('AICF-D10', 'accepts unknown properties, and known extras of a shape that is not ours', () => {
  expect(discoveryWith({ x: 1, archives: 'all', capabilities: [1] })).toEqual({ ok: true, value: DISCOVERY });
  const extras = { archives: ['https://docs.example/1.ndjson'], capabilities: ['sse'] };
  expect(discoveryWith(extras)).toEqual({ ok: true, value: { ...DISCOVERY, ...extras } });
});

clause('AICF-P6', 'of the archives, those that are URLs count', () => {
  const archives = ['/0.ndjson', 'https://docs.example/1.ndjson', 7, 'https://docs.example/2.ndjson'];
  const good = [archives[1], archives[3]];
  expect(discoveryWith({ archives })).toEqual({ ok: true, value: { ...DISCOVERY, archives: good } });
});

clause('AICF-E1', 'refuses an id that is not valid Unicode', () => {
  const line = '{"id":"1\\ud800","action":"update","url":"https://docs.example/","time":"2025-08-21T10:15:00Z"}';
  expect(decodeEvent(line)).toMatchObject({ ok: false, issues: [{ clause: 'AICF-E1' }] });
  expect(decodeEvent(line.replace('ud800', 'ud83d\\ude00'))).toMatchObject({ ok: true, value: { id: '1😀' } });
});

clause('AICF-C2', 'only 0.1 and 0.1.x are compatible', () => {
  expect(['0.1', '0.1.0', '0.1.12'].every(isCompatibleVersion)).toBe(true);
  expect(['0.10', '0.2', '1.0', '9.0', '0.1.', '00.1', '0.1.x', ''].some(isCompatibleVersion)).toBe(false);
});

test('what is encoded is decoded to the same', () => {
  const text = fc.string({ unit: anyCharacter, minLength: 1 }).filter((value) => !value.startsWith('#'));
  const event = fc.record(
    {
      id: text,
      action: fc.constantFrom('create' as const, 'update' as const),
      url: fc.webUrl({ withFragments: false, withQueryParameters: true }),
      time: fc.constantFrom('2025-08-21T10:15:00Z', '2025-08-21T10:15:00.123Z'),
      anchor: text,
      checksum: text,
      note: text,
    },
    { requiredKeys: ['id', 'action', 'url', 'time'] },
  );
  fc.assert(
    fc.property(event, (value) => {
      expect(decodeEvents(encodeEvent(value))).toEqual({ events: [value], issues: [], rest: '' });
    }),
  );
  expect(decodeAicfDiscovery(encodeDiscovery(DISCOVERY))).toEqual({ ok: true, value: DISCOVERY });
});
