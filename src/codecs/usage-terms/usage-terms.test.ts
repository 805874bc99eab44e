import { expect, test } from 'vitest';
import { contentSignalWishes } from './content-signal.ts';
import { contentUsageWishes } from './content-usage.ts';
import { robotsWords, robotsWordsWishes } from './robots-words.ts';
import { decodeRsl, rslWishes } from './rsl.ts';
import { decodeTdmRep, tdmReservation, tdmWishes } from './tdmrep.ts';
import { combinedWishes, type Wishes } from './usage.ts';

const NO = { search: 'no', 'ai-input': 'no', 'ai-train': 'no' } as const;
const YES = { search: 'yes', 'ai-input': 'yes', 'ai-train': 'yes' } as const;

test.each<[string, Wishes]>([
  ['train-ai=n', { 'ai-train': 'no' }],
  ['train-ai=y, search=n', { 'ai-train': 'yes', search: 'no' }],
  ['train-ai=y, train-ai, search=n, search="n"', {}],
  ['Train-AI=n', {}],
  ['train-ai=?0', {}],
  ['train-genai=n', {}],
  ['train-ai=n;until=3, other=(1 2)', { 'ai-train': 'no' }],
  ['train-ai=n,', {}],
])('Content-Usage: %s', (value, expected) => {
  expect(contentUsageWishes(value)).toEqual(expected);
});

test.each<[string, Wishes]>([
  ['search=yes, ai-input=no,ai-train = no', { search: 'yes', 'ai-input': 'no', 'ai-train': 'no' }],
  ['search=allow, ai-train=disallow', {}],
  ['use=immediate', NO],
  ['use=reference, search=yes', { search: 'yes' }],
  ['ai-train=no, ai-train=yes', { 'ai-train': 'no' }],
  ['AI-Train=No', { 'ai-train': 'no' }],
  ['constructor=no, ai-input==no', {}],
])('Content-Signal: %s', (value, expected) => {
  expect(contentSignalWishes(value)).toEqual(expected);
});

test.each<[string, Wishes]>([
  ['noai noimageai', { 'ai-train': 'no' }],
  ['noindex nofollow', { search: 'no' }],
  ['none noml', { search: 'no', 'ai-train': 'no' }],
  ['constructor noimageai', {}],
])('robots: %s', (words, expected) => {
  expect(robotsWordsWishes(robotsWords(words.split(' ')))).toEqual(expected);
});

const rsl = (license: string, attributes = '') =>
  `<rsl xmlns="https://rslstandard.org/rsl"><content url="/docs/*" ${attributes}><license>${license}</license></content></rsl>`;

test.each<[string, string, Wishes]>([
  ['<permits type="usage">all</permits>', '', YES],
  ['<prohibits type="usage">all</prohibits>', '', NO],
  ['<permits type="usage">all</permits><prohibits type="usage">ai-train</prohibits>', '', { ...YES, 'ai-train': 'no' }],
  ['<prohibits type="usage">ai-all</prohibits>', '', { 'ai-input': 'no', 'ai-train': 'no' }],
  ['<permits type="usage">search, ai-index</permits>', '', { search: 'yes', 'ai-input': 'yes' }],
  ['<permits type="usage">ai-train</permits><payment type="purchase"/>', '', { 'ai-train': 'no' }],
  ['<payment type="crawl"/>', '', NO],
  ['<permits type="usage">ai-train</permits><payment type="free"/>', '', { 'ai-train': 'yes' }],
  ['<permits type="usage">all</permits>', 'server="https://l.example/"', NO],
  ['<permits type="user">commercial</permits><prohibits type="geo">XX</prohibits>', '', {}],
])('RSL: %s %s', (license, attributes, expected) => {
  const decoded = decodeRsl(rsl(license, attributes));
  const [content] = decoded.ok ? decoded.value : [];
  if (content === undefined) throw new Error('Nothing was read.');
  expect(content.url).toBe('/docs/*');
  expect(rslWishes(content)).toEqual(expected);
});

test('a licence file with a DOCTYPE, of another namespace or of nothing is none', () => {
  expect(decodeRsl(`<!DOCTYPE rsl>${rsl('')}`).ok).toBe(false);
  expect(decodeRsl(rsl('').replace('rslstandard.org', 'other.example'))).toEqual({ ok: true, value: [] });
  expect(decodeRsl('not xml').ok).toBe(false);
});

test('a reservation says no to learning; without one nothing is granted', () => {
  expect(
    decodeTdmRep([{ location: '/a', 'tdm-reservation': 1, 'tdm-policy': 'https://p.example/' }, { location: 7 }, 3]),
  ).toEqual([{ location: '/a', isReserved: true, policy: 'https://p.example/' }]);
  expect(decodeTdmRep({ location: '/a', 'tdm-reservation': 1 })).toEqual([]);
  expect(tdmWishes({ isReserved: true })).toEqual({ 'ai-train': 'no' });
  expect(tdmWishes({ isReserved: false })).toEqual({});
  expect(tdmReservation(' 1 ')).toEqual({ isReserved: true });
  expect(tdmReservation('yes')).toBeUndefined();
});

test('who says no is heard, in whatever order', () => {
  const all: Wishes[] = [{ search: 'yes' }, { search: 'no', 'ai-train': 'yes' }, {}];
  expect(combinedWishes(all)).toEqual({ search: 'no', 'ai-train': 'yes' });
  expect(combinedWishes(all.toReversed())).toEqual({ search: 'no', 'ai-train': 'yes' });
});
