import { expect } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { countWords } from './count-words.ts';
import { estimateTokens } from './estimate-tokens.ts';

clause('AWI-SG1', 'words are counted without the signs of Markdown', () => {
  for (const [markdown, words] of [
    ['', 0],
    ['Three short words', 3],
    ['# A [link text](https://example.com/some_(path)) here', 4],
    ['- one\n- two - three\n\n> **four** *five*', 5],
    ['```js\nconst a = 1\n```', 3],
    ['| a | b |\n| --- | --- |\n| c | d |', 4],
    ['![an image] don’t e-mail', 4],
    ['漢字とカナ, ok', 6],
    ['--- *** === …', 0],
  ] as [string, number][]) {
    expect(countWords(markdown)).toBe(words);
  }
});

clause(['AWI-EC2', 'AWI-EC3'], 'the estimate is near what a tokenizer counts', () => {
  for (const [text, counted] of [
    ['When a client asks a server for a page, the server answers with a status and a body.', 20],
    ['<div class="nav-item"><a href="/docs/start?x=12345">Start</a></div>', 23],
    ['互联网是一个全球性的计算机网络系统，它使用标准的互联网协议套件来连接世界各地的设备。', 25],
    ['Интернет — это всемирная система объединённых компьютерных сетей для хранения информации.', 18],
  ] as [string, number][]) {
    expect(Math.abs(estimateTokens(text) - counted) / counted).toBeLessThan(0.35);
  }
});

clause('AWI-EC3', 'the estimate grows with the text, and only nothing costs nothing', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('word '.repeat(200))).toBeGreaterThan(estimateTokens('word '.repeat(100)));
});
