import { expect, test } from 'vitest';
import { languageTagOf } from './language-tag.ts';

test.each([
  ['en', 'en'],
  ['EN-us', 'en-US'],
  ['en_US', 'en-US'],
  [' pt-br ', 'pt-BR'],
  ['ZH-hant-tw', 'zh-Hant-TW'],
  ['es-419', 'es-419'],
  ['de-CH-1996', 'de-CH-1996'],
  ['en-u-ca-gregory', 'en-u-ca-gregory'],
  ['sr-latn-x-ab', 'sr-Latn-x-ab'],
])('[AWI-ID3] %j is written %j', (text, tag) => {
  expect(languageTagOf(text)).toBe(tag);
});

test.each([
  [''],
  ['english'],
  ['en-'],
  ['e'],
  ['*'],
  ['en, de'],
  ['und'],
  ['x-default'],
  ['en--US'],
  ['{{lang}}'],
  ['a'.repeat(99_999)],
])('[AWI-ID3] %j is no language', (text) => {
  expect(languageTagOf(text)).toBeUndefined();
});
