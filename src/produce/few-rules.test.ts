import { expect, test } from 'vitest';
import { fewRules } from './few-rules.ts';

const feed = (number: number, cacheControl = 'no-cache') => ({ path: `ai-changes-${number}.ndjson`, cacheControl });
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 2);

test('a few files have a rule each', () => {
  const rules = [{ path: 'ai-changes.ndjson' }, ...numbers(10).map((number) => feed(number))];
  expect(fewRules(rules)).toEqual(rules);
});

test('many that differ by their number alone have one rule, where the first of them stood', () => {
  const rules = [{ path: 'ai-changes.ndjson' }, ...numbers(100).map((number) => feed(number)), { path: 'zz' }];
  expect(fewRules(rules)).toEqual([
    { path: 'ai-changes.ndjson' },
    { path: 'ai-changes-*.ndjson', cacheControl: 'no-cache' },
    { path: 'zz' },
  ]);
});

test('artifacts with bytes of their own are alike where they are served alike', () => {
  const rules = numbers(20).map((number) => ({ ...feed(number), bytes: Buffer.from(String(number)) }));
  expect(fewRules(rules)).toMatchObject([{ path: 'ai-changes-*.ndjson' }]);
});

test('those that are served otherwise keep their own', () => {
  const rules = [...numbers(20).map((number) => feed(number)), feed(99, 'public')];
  expect(fewRules(rules)).toEqual([{ path: 'ai-changes-*.ndjson', cacheControl: 'no-cache' }, feed(99, 'public')]);
});

test('digests and numbers in folders are told apart from words', () => {
  const names = [
    ...numbers(20).map((number) => `changes/_archive/${number}.atom`),
    ...numbers(20).map((number) => `resourcelist-${String(number).padStart(12, '0')}.xml`),
    ...numbers(20).map((number) => `page${number}.html`),
  ];
  const kept = fewRules(names.map((path) => ({ path }))).map(({ path }) => path);
  expect(kept).toEqual(['changes/_archive/*.atom', 'resourcelist-*.xml', ...names.slice(40)]);
});
