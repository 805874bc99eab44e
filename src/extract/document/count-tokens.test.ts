import { execFileSync } from 'node:child_process';
import { countTokens as tokenizerCount } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { countTokens } from './count-tokens.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { readPageDocument } from './read-page.ts';

const PROSE = 'Every account has limits, and every limit can be raised. Ask for it in time; the answer takes a day.\n';

clause('AWI-EC2', 'tokens are exactly those of the vocabulary', () => {
  for (const text of [
    '',
    'word',
    PROSE.repeat(200),
    '# 標題\n\n互联网是全球性的。',
    'Ünïcödé — “quotes” 😀 e\u0301',
    '    code();\n\n\n',
  ])
    expect(countTokens(text), text.slice(0, 40)).toBe(tokenizerCount(text));
});

clause('AWI-EC2', 'what looks like a sign of a model’s own protocol is text', () => {
  for (const sign of ['<|endoftext|>', '<|im_start|>', '<|fim_prefix|>', '<|start|>'])
    expect(countTokens(`a ${sign} b`)).toBeGreaterThan(4);
  const { economics } = readPageDocument(
    '<p>About &lt;|endoftext|&gt; and <code>&lt;|im_end|&gt;</code>.</p>',
    'https://a.example/',
  );
  expect(economics?.output_tokens_approx).toBeGreaterThan(8);
});

test.each([
  ['one letter', 'a'],
  ['blanks', ' '],
  ['emoji', '😀'],
  ['ideographs', '漢'],
  ['signs', '='],
  ['line ends', '\n'],
  ['accents', '\u0301'],
  ['letters and figures', 'a1'],
])('a megabyte of %s is counted in linear steps', async (_, piece) => {
  for (const length of [1_000_000, 490_000]) {
    expect(countTokens(piece.repeat(shortOrLong(length / 10, length) / piece.length))).toBeGreaterThan(0);
  }
  await expectLinear<typeof import('./count-tokens.ts'), string>(
    new URL('./count-tokens.ts', import.meta.url),
    ({ countTokens }, text) => countTokens(text),
    (count) => piece.repeat(count),
    1000,
  );
});

test('long runs are counted in pieces, near enough', () => {
  for (const piece of ['ab', '漢字', '=-', '\t ', 'é']) {
    const text = piece.repeat(1500);
    expect(Math.abs(countTokens(text) / tokenizerCount(text) - 1)).toBeLessThan(0.1);
  }
});

clause('AWI-EC3', 'the estimate of a page is near its tokens', () => {
  const page = `<html><head><style>.a{color:#fff}</style></head><body>${`<div class="item"><a href="/docs/start?id=12">Start</a><p>${PROSE}</p></div>\n`.repeat(50)}</body></html>`;
  expect(Math.abs(estimateTokens(page) / tokenizerCount(page) - 1)).toBeLessThan(0.15);
});

test('neither the vocabulary nor the languages are loaded before they are needed', () => {
  const script = `
    import { createRequire } from 'node:module';
    import { readPageDocument } from './dist/extract/document/read-page.js';
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((file) => /gpt-tokenizer|[/\\\\](?:eld|tables)[/\\\\]/.test(file)).length > 0;
    const html = '<html lang="en"><p>${'Some words of text. '.repeat(20)}</p>';
    readPageDocument(html, 'https://a.example/', { economics: false });
    const before = loaded();
    readPageDocument(html, 'https://a.example/');
    console.log(JSON.stringify([before, loaded()]));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(said.trim().split('\n').at(-1) ?? '')).toEqual([false, true]);
});
