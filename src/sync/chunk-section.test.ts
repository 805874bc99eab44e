import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTokens } from '../extract/document/count-tokens.ts';
import { CHUNK_SETTINGS, type ChunkOptions, chunkSection } from './chunk-section.ts';

const PAGE = 'https://docs.example/limits';
/** Words stand for tokens, so that sizes are seen at a glance. */
const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
const SMALL: ChunkOptions = { targetTokens: 40, maxTokens: 80, countTokens: countWords, fingerprint: 'f' };

const chunksOf = (markdown: string, options = SMALL) =>
  chunkSection({ url: PAGE, anchor: 'limits', markdown }, options);
const sentence = (name: string, words = 8) => Array.from({ length: words }, (_, at) => `${name}${at}`).join(' ');
const squeezed = (text: string) => text.replace(/\s+/g, '');

test('a short section is one chunk, with its heading', () => {
  const [chunk, ...others] = chunksOf('## Limits\n\nAsk for more.');
  expect(chunk).toMatchObject({ position: 0, text: '## Limits\n\nAsk for more.', tokens: 5, fingerprint: 'f' });
  expect(others).toEqual([]);
});

test('a heading alone is a chunk, and nothing is none', () => {
  expect(chunksOf('## Limits').map(({ text }) => text)).toEqual(['## Limits']);
  expect(chunksOf('\n\n')).toEqual([]);
});

test('every chunk of a long section begins with its heading', () => {
  const chunks = chunksOf(`## Limits\n\n${Array.from({ length: 40 }, (_, at) => sentence(`w${at}_`)).join('\n\n')}`);
  expect(chunks.length).toBeGreaterThan(3);
  expect(chunks.every(({ text }) => text.startsWith('## Limits\n\n'))).toBe(true);
});

test('code that fits stays whole', () => {
  const code = `\`\`\`\n${Array.from({ length: 15 }, (_, at) => `line${at} of code`).join('\n\n')}\n\`\`\``;
  const around = Array.from({ length: 10 }, (_, at) => sentence(`w${at}_`)).join('\n\n');
  const chunks = chunksOf(`${around}\n\n${code}\n\n${around}`);
  expect(chunks.some(({ text }) => text.includes(code))).toBe(true);
});

test('code that is too long is cut between lines, each part in its fence', () => {
  const lines = Array.from({ length: 60 }, (_, at) => `const a${at} = ${at};`);
  const chunks = chunksOf(`## Code\n\n\`\`\`js\n${lines.join('\n')}\n\`\`\``);
  expect(chunks.length).toBeGreaterThan(2);
  for (const { text } of chunks) expect(text).toMatch(/^## Code\n\n```js\n(?:const a\d+ = \d+;\n)+```$/);
});

test('a table that is too long is cut between rows, each part with its header', () => {
  const rows = Array.from({ length: 60 }, (_, at) => `| ${at} | b |`);
  const chunks = chunksOf(`| a | b |\n| --- | --- |\n${rows.join('\n')}`);
  expect(chunks.length).toBeGreaterThan(2);
  for (const { text } of chunks) expect(text).toMatch(/^\| a \| b \|\n\| --- \| --- \|\n(?:\| \d+ \| b \|\n?)+$/);
});

test('a text that stands twice has two ids', () => {
  const twice = chunksOf(Array.from({ length: 30 }, () => sentence('same', 30)).join('\n\n'));
  expect(new Set(twice.map(({ id }) => id)).size).toBe(twice.length);
});

const blocks = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.nat(40)).map(([name, size]) => sentence(name, size + 1)),
    fc
      .array(fc.constantFrom('x', 'yy', 'zzz'), { minLength: 1, maxLength: 60 })
      .map((l) => `\`\`\`\n${l.join('\n')}\n\`\`\``),
    fc.string({ minLength: 1, maxLength: 60 }).map((text) => text.replace(/[\s`~#|]+/g, ' ').trim() || 'x'),
  ),
  { minLength: 1, maxLength: 60 },
);

test('all of a section is in its chunks, in order, and none is too large', () => {
  fc.assert(
    fc.property(blocks, fc.boolean(), (parts, isReal) => {
      const options = isReal ? { ...SMALL, countTokens } : SMALL;
      const chunks = chunksOf(parts.join('\n\n'), options);
      const texts = chunks.map(({ text }) => text.replaceAll(/^```$/gm, '')).join('');
      expect(squeezed(texts)).toBe(squeezed(parts.join('').replaceAll('```', '')));
      expect(Math.max(...chunks.map(({ tokens }) => tokens))).toBeLessThanOrEqual(SMALL.maxTokens);
      expect(chunks.map(({ position }) => position)).toEqual(chunks.map((_, at) => at));
    }),
  );
});

test('an edit of one paragraph changes three chunks of a long section at most, mostly one', () => {
  const parts = Array.from({ length: 120 }, (_, at) => sentence(`p${at}_`, 3 + ((at * 7) % 11)));
  const before = chunksOf(parts.join('\n\n'));
  expect(before.length).toBeGreaterThan(10);
  const changed = parts.map((_, at) => {
    const after = new Set(chunksOf(parts.toSpliced(at, 1, sentence('new')).join('\n\n')).map(({ id }) => id));
    return before.filter(({ id }) => !after.has(id)).length;
  });
  expect(Math.max(...changed)).toBeLessThanOrEqual(3);
  expect(changed.filter((count) => count === 1).length).toBeGreaterThan(parts.length / 2);
});

test.each([
  ['a line without spaces', 'x'.repeat(20_000)],
  ['letters beyond the basic plane', '😀'.repeat(5000)],
  ['a heading that is a text', `## ${sentence('word', 2000)}`],
  ['a fence of one line', `\`\`\`\n${'y '.repeat(5000)}\n\`\`\``],
])('%s is cut, too', (_, markdown) => {
  const chunks = chunksOf(markdown, { ...CHUNK_SETTINGS, countTokens, fingerprint: 'f' });
  expect(chunks.length).toBeGreaterThan(1);
  expect(Math.max(...chunks.map(({ tokens }) => tokens))).toBeLessThanOrEqual(CHUNK_SETTINGS.maxTokens);
  expect(chunks.every(({ text }) => text.isWellFormed())).toBe(true);
});
