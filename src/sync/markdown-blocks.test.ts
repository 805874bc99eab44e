import { expect, test } from 'vitest';
import { markdownBlocks } from './markdown-blocks.ts';

test('paragraphs, fences and tables are blocks, and blank lines in a fence are its own', () => {
  const code = '```js\nconst a = 1;\n\nconst b = 2;\n```';
  const table = '| a | b |\n| --- | --- |\n| 1 | 2 |';
  expect(markdownBlocks(`One.\nTwo.\n\n${code}\n\n\n${table}`)).toEqual([
    { kind: 'text', text: 'One.\nTwo.' },
    { kind: 'fence', text: code },
    { kind: 'table', text: table },
  ]);
});

test('a fence ends with its own sign alone, also inside a list item', () => {
  const tildes = '~~~\n```\n\nnot the end\n~~~';
  const indented = '  ```\n  a\n\n  b\n  ```';
  expect(markdownBlocks(`${tildes}\n\n- item\n\n${indented}`).map(({ text }) => text)).toEqual([
    tildes,
    '- item',
    indented,
  ]);
});

test('a fence that never ends goes to the end of the text', () => {
  expect(markdownBlocks('```\na\n\nb')).toEqual([{ kind: 'fence', text: '```\na\n\nb' }]);
});
