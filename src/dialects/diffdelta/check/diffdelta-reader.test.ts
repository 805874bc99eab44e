import { expect, test } from 'vitest';
import type { AnsweredDocument } from '../../../codecs/primitives/seen-document.ts';
import { createDiffDeltaReader } from './diffdelta-reader.ts';

const URL_ASKED = new URL('https://feeds.example/diff/head.json');

/** A service that refuses so often, then answers; and a clock that only counts what is waited for. */
function lab(refusals: number, headers: Record<string, string>, status = 429) {
  const waited: number[] = [];
  let asked = 0;
  const source = {
    name: 'https://feeds.example/',
    live: true,
    async read(where: string): Promise<AnsweredDocument> {
      asked += 1;
      const bytes = new Uint8Array();
      if (asked <= refusals) return { kind: 'answered', where, status, headers, bytes };
      return { kind: 'answered', where, status: 200, headers: { 'x-ratelimit-remaining': '59' }, bytes };
    },
  };
  const parts = {
    now: () => Date.UTC(2026, 1, 5, 12),
    wait: async (ms: number) => void waited.push(ms),
    onStatus: () => {},
  };
  return { reader: createDiffDeltaReader(source, parts), waited, asked: () => asked };
}

test.each<readonly [string, number]>([
  ['30', 30_100],
  ['65', 65_100],
  // Less than the way out itself keeps.
  ['0', 2100],
  ['Thu, 05 Feb 2026 12:00:10 GMT', 10_100],
])('a pause of %s is waited for', async (retryAfter, waitedMs) => {
  const { reader, waited } = lab(1, { 'retry-after': retryAfter });
  expect(await reader.read(URL_ASKED)).toMatchObject({ status: 200 });
  expect(waited).toEqual([waitedMs]);
  expect(reader).toMatchObject({ isAnswering: true, requestsLeft: 59 });
});

test('five pauses are waited for, over all documents, and no sixth', async () => {
  const enough = lab(5, { 'retry-after': '1' });
  expect(await enough.reader.read(URL_ASKED)).toMatchObject({ status: 200 });
  const { reader, waited, asked } = lab(6, { 'retry-after': '1' });
  await expect(reader.read(URL_ASKED)).rejects.toThrow('answers with status 429 and asks for a pause of 1 s');
  expect([waited.length, asked(), reader.isAnswering]).toEqual([5, 6, false]);
});

test.each<readonly [string, Record<string, string>, number]>([
  ['a longer one', { 'retry-after': '66' }, 429],
  ['none that is named', {}, 429],
  ['a word', { 'retry-after': 'soon' }, 429],
  ['one of a server that is down', { 'retry-after': '1' }, 503],
])('%s is not waited for', async (_, headers, status) => {
  const { reader, waited } = lab(1, headers, status);
  await expect(reader.read(URL_ASKED)).rejects.toMatchObject({ recovery: 'retry-later' });
  expect([waited, reader.isAnswering]).toEqual([[], false]);
});
