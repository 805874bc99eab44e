import { expect, test } from 'vitest';
import { shortOrLong } from '../support/short-or-long.ts';
import { MAX_FALSE, RESTLESS_KINDS, watchRestless } from './restless.ts';
import { RESTLESS_ANSWERS } from './restless-answers.ts';
import type { RestlessKind } from './restless-kind.ts';

const LOOKS = shortOrLong(12, 50);

const PLANTED = {
  calm: { name: 'calm', answer: () => undefined },
  unread: { name: 'unread', answer: ({ look, html }) => (look > 0 ? { status: 500 } : html()) },
  noisy: { name: 'noisy', answer: ({ html, look }) => html({ lead: `<p>It is ${WORDS[look]} now.</p>` }) },
} satisfies Record<string, RestlessKind>;
const WORDS = ['early', 'noon', 'late', 'dark', 'dusk', 'dawn', 'night', 'cold', 'warm', 'wet', 'dry', 'windy', 'calm'];

test('of a calm site each edit is told, once, and nothing else is', async () => {
  const { complaints, served } = await watchRestless(PLANTED.calm, 'site', LOOKS);
  expect(complaints).toEqual([]);
  expect(served).toBe(0);
});

test('planted: edits that no look can see are counted as lost', async () => {
  expect(await watchRestless(PLANTED.unread, 'page', 12)).toMatchObject({ false: 0, lost: 3, doubled: 0 });
});

test('planted: what is another text at each look is counted as false', async () => {
  const verdict = await watchRestless(PLANTED.noisy, 'page', 12);
  expect(verdict).toMatchObject({ lost: 0 });
  expect(verdict.false).toBeGreaterThan(0);
});

/** Kinds that the suite looks at; `npm run torture -- origins` looks at all of them, and more often. */
const CHOSEN = shortOrLong(
  ['not found with 200', 'page that stops in its midst'],
  RESTLESS_ANSWERS.map(({ name }) => name).filter((name) => !/flips|two versions|caches/.test(name)),
);

test.each(RESTLESS_KINDS.filter(({ name }) => CHOSEN.includes(name)))('nobody hears of: $name', async (kind) => {
  for (const shape of ['site', 'page'] as const) {
    const { lost, complaints, served, ...verdict } = await watchRestless(kind, shape, LOOKS);
    expect(lost, complaints.join('\n')).toBe(0);
    expect(verdict.false + verdict.doubled, complaints.join('\n')).toBeLessThanOrEqual(MAX_FALSE);
  }
});

test('of a page in two versions that come by turns, hardly one is told', async () => {
  const kind = RESTLESS_KINDS.find(({ name }) => name === 'two versions of all');
  if (kind === undefined) throw new Error('There is no such kind.');
  // Seeds with which one of the versions stays for a day by chance.
  for (const seed of [3405691582, 3, 2].slice(0, shortOrLong(1, 3))) {
    const verdict = await watchRestless(kind, 'page', 50, seed);
    expect(verdict.lost, verdict.complaints.join('\n')).toBe(0);
    expect(verdict.false + verdict.doubled, verdict.complaints.join('\n')).toBeLessThanOrEqual(MAX_FALSE);
  }
});
