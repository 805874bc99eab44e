import { describe, expect, test } from 'vitest';
import { IS_LONG } from '../support/short-or-long.ts';
import { passed } from './harness.ts';
import { type JournalLine, judgeSubscriber, relativeLags } from './webhook-judge.ts';
import { describeWebhooks, tortureWebhooks } from './webhooks.ts';

describe.skipIf(!IS_LONG)('at length', () => {
  test('whoever is killed, each subscriber gets each change, in order, signed, and waits for no other', async () => {
    const report = await tortureWebhooks({ rounds: 4, calmChanges: 6, waitedMs: 10_000 });
    expect(passed(report), describeWebhooks(report)).toBe(true);
  });
});

const LOG = [1, 2, 3].map((seq) => ({ seq, id: `c${seq}` }));

function line(seqs: readonly number[], more: Partial<JournalLine> = {}): JournalLine {
  const changes = seqs.map((seq) => ({ seq, id: `c${seq}` }));
  const said = changes.length === 1 ? { type: 'change', data: changes[0] } : { type: 'changes', data: changes };
  return { path: '/a', id: `msg_${seqs.join('_')}`, atMs: 0, isValid: true, text: JSON.stringify(said), ...more };
}

const GOOD = { missing: 0, reordered: 0, badSignatures: 0, changedBodies: 0, otherIds: 0, doubles: 0 };

test('who got everything in order is well, also where something came twice', () => {
  expect(judgeSubscriber([line([1]), line([2, 3])], LOG)).toEqual(GOOD);
  expect(judgeSubscriber([line([1]), line([1]), line([2]), line([1]), line([3])], LOG)).toEqual({
    ...GOOD,
    doubles: 2,
  });
});

test.each([
  ['missing', [line([1]), line([3])]],
  ['reordered', [line([1]), line([3]), line([2])]],
  ['badSignatures', [line([1], { isValid: false }), line([2]), line([3])]],
  ['changedBodies', [line([1]), line([1], { text: `${line([1]).text} ` }), line([2]), line([3])]],
  ['otherIds', [line([1]), line([1], { id: 'msg_x' }), line([2]), line([3])]],
] as const)('%s is seen', (name, lines) => {
  expect(judgeSubscriber(lines, LOG)[name]).toBe(1);
});

test('who waited for another is late by what that one took', () => {
  const journals = new Map([
    ['/a', [line([1], { atMs: 5 }), line([2], { atMs: 100 })]],
    ['/b', [line([1], { atMs: 9000 }), line([2], { atMs: 2100 }), line([2], { atMs: 9000 })]],
  ]);
  expect(relativeLags(journals, { sinceMs: 50, untilMs: 200 })).toEqual([0, 2000]);
});
