import { expect } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { languageTagOf } from './language-tag.ts';

clause('AWI-ID3', 'tags are written in the usual case', () => {
  for (const [text, tag] of [
    ['en', 'en'],
    ['EN-us', 'en-US'],
    ['en_US', 'en-US'],
    [' pt-br ', 'pt-BR'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['es-419', 'es-419'],
    ['de-CH-1996', 'de-CH-1996'],
    ['en-u-ca-gregory', 'en-u-ca-gregory'],
    ['sr-latn-x-ab', 'sr-Latn-x-ab'],
  ] as [string, string][]) {
    expect(languageTagOf(text)).toBe(tag);
  }
});

clause('AWI-ID3', 'what is no tag is no language', () => {
  for (const [text] of [
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
  ] as [string][]) {
    expect(languageTagOf(text)).toBeUndefined();
  }
});
