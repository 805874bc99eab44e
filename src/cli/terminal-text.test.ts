import { expect, test } from 'vitest';
import { terminalText } from './terminal-text.ts';

test('escape sequences and turned text reach no terminal', () => {
  expect(terminalText('a\u001b[31mred\u009b2K\u202etxt.exe\r')).toBe(
    String.raw`a\u001b[31mred\u009b2K\u202etxt.exe\u000d`,
  );
});

test('other text stays as it is', () => {
  const text = 'Ünïcödé\t→ 漢字\n🙂';
  expect(terminalText(text)).toBe(text);
});

test('a line of JSON stays the same JSON', () => {
  const value = { title: 'x\u009by\u202ez\u007f' };
  expect(JSON.parse(terminalText(JSON.stringify(value)))).toEqual(value);
});
