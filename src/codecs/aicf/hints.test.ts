import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeEvent } from './decode.ts';
import { encodeEvent } from './encode.ts';

const EVENT = {
  id: '01J3Z6B1KQX6XYT0000000000A',
  action: 'update',
  url: 'https://docs.example/pricing',
  time: '2025-08-21T10:15:00Z',
  note: 'text-edit',
} as const;
const CHUNK = { chunk_id: 'c1', section_checksum: 'sha256:ab', embed_ref: 'https://docs.example/v/c1' };
const BILLING = { plan: 'free', unit: 'bytes', size: 12, nonce: 'n1' };

clause(['AICF-X1', 'AICF-X4', 'AICF-P1'], 'hints stand beside the other fields, their bytes frozen', () => {
  expect(encodeEvent({ ...EVENT, hints: { ...BILLING, ...CHUNK } })).toBe(
    '{"id":"01J3Z6B1KQX6XYT0000000000A","action":"update","url":"https://docs.example/pricing","time":"2025-08-21T10:15:00Z","note":"text-edit","chunk_id":"c1","section_checksum":"sha256:ab","embed_ref":"https://docs.example/v/c1","plan":"free","unit":"bytes","size":12,"nonce":"n1"}\n',
  );
});

test('a line with hints is read back as it was', () => {
  const event = { ...EVENT, hints: { ...CHUNK, ...BILLING } };
  expect(decodeEvent(encodeEvent(event).trimEnd())).toEqual({ ok: true, value: event });
});

clause('AICF-E14', 'a hint of another type does not make the event invalid', () => {
  const line = JSON.stringify({ ...EVENT, chunk_id: 7, size: 'big', plan: null, nonce: 'n1' });
  expect(decodeEvent(line)).toEqual({ ok: true, value: { ...EVENT, hints: { nonce: 'n1' } } });
});

clause('AICF-X5', 'without hints no extension field is written', () => {
  expect(Object.keys(JSON.parse(encodeEvent(EVENT)))).toEqual(['id', 'action', 'url', 'time', 'note']);
});
