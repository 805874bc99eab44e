import { expect, test } from 'vitest';
import { expectLinear } from '../../test/support/count-steps.ts';
import { excerptOf, MAX_EXCERPT } from './excerpt.ts';

test.each([
  ['a heading goes', '## Limits\n\nEvery account has limits.', 'Every account has limits.'],
  ['unless it is all', '## Limits', 'Limits'],
  ['marks', 'Some **bold**, `code` and [a link](https://a.example/b).', 'Some bold, code and a link.'],
  ['lists and quotations', '- one\n- two\n\n1. three\n\n> four', 'one two three four'],
  ['tags go, and those that are spoken of stay', 'Use <b>the</b> \\<i\\> tag, `a \\< b`.', 'Use the <i> tag, a < b.'],
  ['fences', 'Run:\n\n```sh\nnpm ci\n```\n\nDone.', 'Run: npm ci Done.'],
  ['tables', '| A | B |\n| --- | --- |\n| 1 | 2 |', 'A B 1 2'],
  ['later headings', 'Before.\n\n### After\n\nText.', 'Before. After Text.'],
  ['controls and what nobody sees', 'a\u0007b\u200Bc\u202Ed\u2066e\u{E0041}f\uFE0Fg', 'a bcdefg'],
  ['half a pair', 'x\uD83D y', 'x y'],
])('%s', (_, markdown, excerpt) => {
  expect(excerptOf(markdown)).toBe(excerpt);
});

test('nothing gives nothing', () => {
  expect(excerptOf('')).toBeUndefined();
  expect(excerptOf('\u200B\n\n---')).not.toBe('');
});

test('it ends with a word', () => {
  const excerpt = excerptOf('word '.repeat(400)) ?? '';
  expect(excerpt.length).toBeLessThanOrEqual(MAX_EXCERPT);
  expect(excerpt).toMatch(/^(?:word )+word$/);
});

test.each(['語'.repeat(2000), '😀'.repeat(2000), `x${'😀'.repeat(2000)}`])(
  'never within a character: %.4s…',
  (text) => {
    const excerpt = excerptOf(text) ?? '';
    expect(excerpt.length).toBeGreaterThan(MAX_EXCERPT - 3);
    expect(excerpt.length).toBeLessThanOrEqual(MAX_EXCERPT);
    expect(excerpt).not.toMatch(/\p{Cs}/u);
  },
);

test.each(['[', '> ', '|', '`', '<a ', '*_'])('a megabyte of %j costs as little as a page', async (piece) => {
  excerptOf(piece.repeat(500_000));
  await expectLinear<typeof import('./excerpt.ts'), string>(
    new URL('./excerpt.ts', import.meta.url),
    ({ excerptOf }, text) => excerptOf(text),
    (count) => piece.repeat(count),
    1000,
  );
});

test('a page that is made to be slow is not', () => {
  const dashes = `\`\`\`\n${'-'.repeat(7900)}x\n\`\`\``;
  for (let section = 0; section < 20; section++) expect(excerptOf(dashes)).toMatch(/^-{600}$/);
});
