import { expect, test } from 'vitest';
import { extractPage } from '../../extract/extract-page.ts';
import type { Change } from '../../model/change.ts';
import { pageKey } from './compare-sample.ts';
import { countVerdicts } from './honesty-report.ts';
import { judgePage } from './judge-page.ts';
import { chooseSample } from './sample.ts';

const URL_A = 'https://docs.example/a';
const FROM_MS = Date.parse('2026-11-01T12:00:00Z');
const TO_MS = FROM_MS + 24 * 3600_000;
const page = (one: string, two: string) =>
  extractPage(
    `<main><h1>A</h1><h2 id="one">One</h2><p>${one}</p><h2 id="two">Two</h2><p>${two}</p><h2 id="three">Three</h2><p>It stays.</p></main>`,
    URL_A,
  );
const BEFORE = page('It says this.', 'It says that.');
const EDITED = page('It says more.', 'It says that.');

const claim = (anchor?: string, claimedTime = '2026-11-02T00:00:00Z', more: Partial<Change> = {}): Change => ({
  seq: 1,
  id: '1',
  source: 'a',
  kind: 'page',
  action: 'update',
  url: URL_A,
  time: claimedTime,
  claimedTime,
  ...(anchor !== undefined && { anchor }),
  provenance: {},
  ...more,
});
const judge = (after: typeof BEFORE | undefined, ...claims: readonly Change[]) =>
  judgePage({ url: URL_A, before: BEFORE, after, fromMs: FROM_MS, toMs: TO_MS }, claims);

test.each([
  ['nothing told, nothing seen', BEFORE, [], 'same'],
  ['a section told and seen', EDITED, [claim('one')], 'true'],
  ['the page told, a section seen', EDITED, [claim()], 'true'],
  ['a name that only the feed has', EDITED, [claim('first')], 'true'],
  ['told and not seen', BEFORE, [claim('one')], 'told-not-seen'],
  ['seen and not told', EDITED, [], 'seen-not-told'],
  ['another section told', EDITED, [claim('two')], 'both'],
  ['gone and told', undefined, [claim(undefined, undefined, { action: 'delete' })], 'true'],
  ['gone and not told', undefined, [], 'seen-not-told'],
  ['told as gone and there', BEFORE, [claim(undefined, undefined, { action: 'delete' })], 'told-not-seen'],
  ['told a little late, and seen before', BEFORE, [claim('one', '2026-11-01T11:50:00Z')], 'late'],
  ['only the terms', BEFORE, [claim(undefined, undefined, { note: 'terms ai-train=yes>no' })], 'same'],
] as const)('%s', (_, after, claims, verdict) => {
  expect(judge(after, ...claims)).toMatchObject({ verdict });
});

test.each([
  ['2026-11-02T00:00:00Z', 0],
  ['2026-11-01T11:59:58Z', 0],
  ['2026-10-31T11:59:58Z', 24 * 3600],
  ['2026-11-03T12:00:02Z', 24 * 3600],
])('a change that is said to be of %s is off by %i s', (time, offSeconds) => {
  expect(judge(EDITED, claim('one', time))).toMatchObject({ verdict: 'true', offSeconds });
});

test('verdicts are counted, and what could not be compared is not', () => {
  const verdicts = [
    judge(EDITED, claim('one', '2026-10-31T11:59:58Z')),
    judge(EDITED, claim('one')),
    judge(EDITED, claim('two')),
    judge(BEFORE),
    { url: URL_A, verdict: 'unread' as const, told: [], seen: [] },
  ];
  expect(countVerdicts(verdicts, 7)).toEqual({
    sampled: 7,
    compared: 4,
    toldAndTrue: 2,
    toldNotSeen: 1,
    seenNotTold: 1,
    timesOff: { median: 0, max: 24 * 3600 },
  });
  expect(countVerdicts([], 3)).toMatchObject({ compared: 0, timesOff: { median: null, max: null } });
});

test('a choice is the same for the same seed, whatever the order, and another one at the next turn', () => {
  const urls = Array.from({ length: 50 }, (_, at) => `https://docs.example/${at}`);
  const choice = (seed: string, turn: number, from = urls) => chooseSample(from, { seed, turn, size: 5 });
  expect(choice('a', 0)).toEqual(choice('a', 0, urls.toReversed()));
  expect(new Set([choice('a', 0), choice('b', 0), choice('a', 1)].map((one) => one.join())).size).toBe(3);
});

test.each([
  'https://a.example/b',
  'https://a.example/b/',
  'https://a.example/b/index.html',
  'https://a.example/b.html#c',
])('%s is one page', (url) => {
  expect(pageKey(url)).toBe('https://a.example/b');
});
