import { expect, test } from 'vitest';
import { type Evidence, verifyLog } from './verify-log.ts';

const line = (seq: number, note: string, rest = {}) => JSON.stringify({ seq, id: `id-${seq}`, note, ...rest });
const STORED = [line(1, '1.1/0'), line(2, '1.1/1'), line(3, '1.2/0')];

function evidence(change: Partial<Evidence>): Evidence {
  return { acked: STORED, seen: new Map([[1, STORED[0] ?? '']]), stored: STORED, cutOff: new Map(), ...change };
}

const NONE = { lost: 0, doubled: 0, reordered: 0, changed: 0, torn: 0 };

test('an honest log breaks no promise', () => {
  expect(verifyLog(evidence({}))).toEqual(NONE);
});

test('a batch that was cut off may be there as a whole, or not at all', () => {
  const cutOff = new Map([
    ['1.1', 2],
    ['1.3', 5],
  ]);
  expect(verifyLog(evidence({ acked: [], cutOff }))).toEqual(NONE);
});

test.each([
  ['an acknowledged change that is gone', { lost: 1 }, { stored: STORED.slice(0, 2) }],
  ['a change that a reader has seen and that is gone', { lost: 1 }, { seen: new Map([[4, line(4, '1.3/0')]]) }],
  ['a change stored twice', { doubled: 1 }, { stored: [...STORED, line(4, '1.2/0')], acked: [] }],
  ['changes in another order than acknowledged', { reordered: 1 }, { acked: [STORED[1] ?? '', STORED[0] ?? ''] }],
  ['a hole in seq', { reordered: 1 }, { stored: [STORED[0] ?? '', line(3, '1.2/0')], acked: [] }],
  ['an id that goes back', { reordered: 1 }, { stored: [...STORED, line(4, '2.1/0', { id: 'id-1' })] }],
  ['an acknowledged change with other bytes', { changed: 1 }, { acked: [line(1, '1.1/0', { title: 'x' })] }],
  [
    'a change with other bytes than a reader saw',
    { changed: 1 },
    { seen: new Map([[2, line(2, '1.1/1', { title: 'x' })]]) },
  ],
  ['a part of a batch', { torn: 1 }, { acked: [], cutOff: new Map([['1.1', 3]]) }],
])('%s is counted', (_, expected, change) => {
  expect(verifyLog(evidence(change))).toEqual({ ...NONE, ...expected });
});
