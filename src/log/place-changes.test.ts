import { expect, test } from 'vitest';
import type { Change, ChangeDraft } from '../model/change.ts';
import { placeChanges } from './place-changes.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const DRAFT: ChangeDraft = { source: 'docs', action: 'update', url: 'https://docs.example/a' };
const random = (size: number) => new Uint8Array(size);

function place(drafts: readonly unknown[], last?: Change): Change[] {
  return placeChanges(drafts as ChangeDraft[], { last, nowMs: NOON, random });
}

test('changes continue behind the last one, a moment later when its time is later than now', () => {
  const [last] = place([{ ...DRAFT, time: '2026-03-01T13:00:00Z' }]);
  const [next, then] = place([DRAFT, { ...DRAFT, time: '2026-03-01T13:00:01Z' }], last);
  expect(next).toMatchObject({ seq: 2, time: '2026-03-01T13:00:00.001Z' });
  expect(then).toMatchObject({ seq: 3, time: '2026-03-01T13:00:01Z' });
  expect([last?.id, next?.id, then?.id].toSorted()).toEqual([last?.id, next?.id, then?.id]);
});

test('keys stand in one order, whatever the order in the draft', () => {
  const shuffled = {
    note: 'n',
    before: 'b',
    excerpt: 'e',
    heading: 'h',
    url: DRAFT.url,
    provenance: {},
    anchor: 'a',
    action: 'delete',
    title: 't',
    source: 'docs',
  };
  const [change] = place([shuffled]);
  expect(Object.keys(change ?? {}).join()).toBe(
    'seq,id,source,kind,action,url,anchor,time,title,heading,excerpt,before,note,provenance',
  );
});

test('a key without a value is left out', () => {
  const [change] = place([{ ...DRAFT, anchor: undefined, provenance: { by: 'compare', originId: undefined } }]);
  expect(change).not.toHaveProperty('anchor');
  expect(change?.provenance).not.toHaveProperty('originId');
});

test.each([
  ['action', { action: 'rename' }],
  ['action', { action: undefined }],
  ['kind', { kind: 'site' }],
  ['source', { source: '' }],
  ['source', { source: 'My-Docs' }],
  ['url', { url: '/a' }],
  ['url', { url: 'ftp://docs.example/' }],
  ['url', { url: 'https://docs.example/a#b' }],
  ['url', { url: 'https://docs.example/a#' }],
  ['url', { url: 'https://' }],
  ['url', { url: 'https://docs.example/a b' }],
  ['url', { url: 'https://[docs/' }],
  ['time', { time: 'yesterday' }],
  ['time', { time: '2026-02-30T00:00:00Z' }],
  ['risk', { risk: Number.NaN }],
  ['anchor', { anchor: 7 }],
  ['before', { before: 7 }],
  ['heading', { heading: 7 }],
  ['claimedTime', { claimedTime: 'yesterday' }],
  ['claimedTime', { claimedTime: 7 }],
  ['provenance', { provenance: 'compare' }],
  ['provenance', { provenance: ['compare'] }],
  ['provenance.by', { provenance: { by: null } }],
  ['provenance.by', { provenance: { by: {} } }],
  ['provenance.n', { provenance: { n: Number.NaN } }],
  ['provenance.n', { provenance: { n: 7n } }],
  ['provenance.n', { provenance: { n: () => 7 } }],
] as const)('a wrong %s is refused with its place', (field, wrong) => {
  expect(() => place([DRAFT, { ...DRAFT, ...wrong }])).toThrow(
    expect.objectContaining({ name: 'InvalidChangeError', index: 1, field, recovery: 'fix-input' }),
  );
});

test.each([null, undefined, 7, 'update'])('a draft that is %s is refused with its place', (draft) => {
  const refusal = { name: 'InvalidChangeError', index: 1, field: 'it' };
  expect(() => place([DRAFT, draft])).toThrow(expect.objectContaining(refusal));
});
