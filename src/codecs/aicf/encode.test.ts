import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { encodeDiscovery, encodeEvent } from './encode.ts';
import type { AicfEvent } from './wire.ts';

const ID = '01J3Z6B1KQX6XYT0000000000A';

clause(
  ['AICF-P1', 'AICF-F2'],
  'the bytes of a line are frozen: feeds are derived anew, and past lines must not change',
  () => {
    const change = {
      seq: 7,
      kind: 'page',
      source: 'docs',
      provenance: { by: 'compare' },
      title: 'Pricing',
      id: ID,
      note: 'text-edit',
      checksum: 'sha256:def456',
      anchor: 'tiers',
      url: 'https://docs.example/pricing',
      action: 'update',
      time: '2025-08-21T10:15:00.250Z',
    } as const;
    expect(encodeEvent(change)).toBe(
      '{"id":"01J3Z6B1KQX6XYT0000000000A","action":"update","url":"https://docs.example/pricing","time":"2025-08-21T10:15:00.250Z","anchor":"tiers","checksum":"sha256:def456","note":"text-edit"}\n',
    );
    expect(
      encodeEvent({
        id: ID,
        action: 'create',
        url: 'https://docs.example/%C3%A4/',
        time: '2025-08-21T10:15:00Z',
        note: 'é\n\u2028"',
      }),
    ).toBe(
      '{"id":"01J3Z6B1KQX6XYT0000000000A","action":"create","url":"https://docs.example/%C3%A4/","time":"2025-08-21T10:15:00Z","note":"é\\n\u2028\\""}\n',
    );
  },
);

clause('AICF-F4', 'an event is one line, whatever its text holds', () => {
  const line = encodeEvent({
    id: ID,
    action: 'update',
    url: 'https://h.example/',
    time: '2025-08-21T10:15:00Z',
    note: 'a\r\nb',
  });
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(JSON.parse(line)).toMatchObject({ note: 'a\r\nb' });
});

test('writes the url without a fragment, with and without an anchor', () => {
  const event = { id: ID, action: 'update', url: 'https://h.example/p#tiers', time: '2025-08-21T10:15:00Z' } as const;
  expect(JSON.parse(encodeEvent({ ...event, anchor: 'tiers' }))).toMatchObject({
    url: 'https://h.example/p',
    anchor: 'tiers',
  });
  expect(JSON.parse(encodeEvent(event))).toMatchObject({ url: 'https://h.example/p' });
});

clause('AICF-E9', 'writes the anchor as a plain name', () => {
  const event = { id: ID, action: 'update', url: 'https://h.example/p', time: '2025-08-21T10:15:00Z' } as const;
  expect(JSON.parse(encodeEvent({ ...event, anchor: '#tiers' }))).toMatchObject({ anchor: 'tiers' });
  expect(JSON.parse(encodeEvent({ ...event, anchor: '' }))).not.toHaveProperty('anchor');
});

clause('AICF-E8', 'writes the time in UTC', () => {
  const event = { id: ID, action: 'update', url: 'https://h.example/p' } as const;
  expect(JSON.parse(encodeEvent({ ...event, time: '2025-08-21T12:15:00+02:00' }))).toMatchObject({
    time: '2025-08-21T10:15:00Z',
  });
  expect(() => encodeEvent({ ...event, time: 'yesterday' })).toThrow('RFC 3339');
});

clause('AICF-P3', 'a delete has no checksum: nothing is left to fingerprint', () => {
  const event = {
    id: ID,
    action: 'delete',
    url: 'https://h.example/p',
    time: '2025-08-21T10:15:00Z',
    checksum: 'sha256:0',
  } as const;
  expect(JSON.parse(encodeEvent(event))).not.toHaveProperty('checksum');
});

test('never writes the delete of a section', () => {
  const event = {
    id: ID,
    action: 'delete',
    url: 'https://h.example/p',
    time: '2025-08-21T10:15:00Z',
    anchor: 'tiers',
  } as const;
  expect(() => encodeEvent(event)).toThrow('https://h.example/p#tiers');
});

test.each([
  ['an empty id', { id: '' }],
  ['an id that is no Unicode', { id: '1\ud800' }],
  ['an unknown action', { action: 'move' }],
  ['no action', { action: undefined }],
  ['a relative url', { url: '/pricing' }],
  ['a url of another kind', { url: 'ftp://h.example/' }],
  ['a url with a blank', { url: 'https://h.example/a b' }],
])('a line with %s is not written', (_, wrong) => {
  const event = { id: ID, action: 'update', url: 'https://h.example/p', time: '2025-08-21T10:15:00Z' };
  const encode = (fields: object) => encodeEvent({ ...event, ...fields } as AicfEvent);
  expect(encode({ url: 'http://127.0.0.1:8080/p?q' })).toContain('127.0.0.1:8080/p?q');
  expect(() => encode(wrong)).toThrow('is not an');
});

test('the discovery document has one order of keys and ends with a line feed', () => {
  const json = encodeDiscovery({
    archives: ['https://h.example/ai-changes-1.ndjson'],
    ttl_seconds: 0,
    self: 'https://h.example/ai-changes.ndjson',
    aicf_version: '0.1',
  });
  expect(json).toBe(`{
  "aicf_version": "0.1",
  "self": "https://h.example/ai-changes.ndjson",
  "ttl_seconds": 0,
  "archives": [
    "https://h.example/ai-changes-1.ndjson"
  ]
}
`);
});
