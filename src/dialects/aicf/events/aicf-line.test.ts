import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { decodeEvent } from '../../../codecs/aicf/decode.ts';
import { encodeEvent } from '../../../codecs/aicf/encode.ts';
import type { Change } from '../../../model/change.ts';
import { aicfLine } from './aicf-line.ts';

const CHANGE: Change = {
  seq: 7,
  id: '01J3Z6A6M7A0CAXT3M5N8P2Q4R',
  source: 'docs',
  kind: 'page',
  action: 'update',
  url: 'https://docs.example/pricing',
  anchor: 'tiers',
  time: '2025-08-21T10:15:00Z',
  checksum: 'sha256:ab',
  note: 'text-edit',
  provenance: { by: 'compare' },
};

test('a change is the line that AICF has for it', () => {
  expect(aicfLine(CHANGE)).toBe(encodeEvent(CHANGE));
  expect(aicfLine({ ...CHANGE, action: 'delete', anchor: undefined })).toContain('"action":"delete"');
});

test('a change of an endpoint is a line like others', () => {
  expect(aicfLine({ ...CHANGE, kind: 'endpoint' })).toBe(aicfLine(CHANGE));
});

clause(['AICF-P1', 'AICF-S2'], 'a section that is gone is an update of its page, which says so', () => {
  const line = aicfLine({ ...CHANGE, action: 'delete' }) ?? '';
  expect(JSON.parse(line)).toEqual({
    id: CHANGE.id,
    action: 'update',
    url: CHANGE.url,
    time: CHANGE.time,
    note: 'section-deleted',
  });
  expect(decodeEvent(line.trimEnd()).ok).toBe(true);
});

test('of the hints of a section that is gone, those about billing stay', () => {
  const hints = { chunk_id: 'c1', section_checksum: 'sha256:ab', plan: 'free', unit: 'bytes', size: 0, nonce: 'n1' };
  const line = aicfLine({ ...CHANGE, action: 'delete', hints }) ?? '';
  expect(JSON.parse(line)).toMatchObject({
    note: 'section-deleted',
    plan: 'free',
    unit: 'bytes',
    size: 0,
    nonce: 'n1',
  });
  expect(line).not.toMatch(/chunk_id|section_checksum/);
  expect(aicfLine({ ...CHANGE, hints })).toContain('"chunk_id":"c1"');
});

test('an empty anchor names no section: the page is gone', () => {
  expect(aicfLine({ ...CHANGE, action: 'delete', anchor: '' })).toContain('"action":"delete"');
});

test.each([
  ['no web address', { url: 'urn:isbn:0' }],
  ['no address at all', { url: '' }],
  ['no time', { time: 'yesterday' }],
  ['no id', { id: '' }],
])('a change with %s has no line and throws nothing', (_, part) => {
  expect(aicfLine({ ...CHANGE, ...part })).toBeUndefined();
  expect(aicfLine({ ...CHANGE, ...part, action: 'delete' })).toBeUndefined();
});

test('of a section that is gone it is told what the whole page says now, where that is known', () => {
  const line = aicfLine({ ...CHANGE, action: 'delete', provenance: { pageChecksum: 'sha256:cd' } }) ?? '';
  expect(JSON.parse(line)).toMatchObject({ note: 'section-deleted', checksum: 'sha256:cd' });
});
