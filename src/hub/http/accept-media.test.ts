import { expect, test } from 'vitest';
import { preferredMedia } from './accept-media.ts';

const JSON_FIRST = ['application/json', 'text/markdown'] as const;

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['text/markdown', 'text/markdown'],
  ['Text/Markdown', 'text/markdown'],
  ['text/*', 'text/markdown'],
  ['text/markdown, application/json', 'application/json'],
  ['text/markdown, application/json;q=0.9', 'text/markdown'],
  ['text/markdown;q=0.5, application/json;q=0.4', 'text/markdown'],
  ['text/markdown;q=0.4, application/json;q=0.5', 'application/json'],
  ['text/markdown, text/html, */*', 'text/markdown'],
  ['text/markdown;q=0.1, */*', 'application/json'],
  ['text/markdown;q=0, */*', 'application/json'],
  ['text/markdown;q=0, text/*', 'application/json'],
  ['application/json;q=0, */*;q=0.1', 'text/markdown'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
  ['text/markdown; charset=utf-8', 'text/markdown'],
  ['text/markdown; variant=GFM; q=0.8, application/json; q=0.2', 'text/markdown'],
  ['text/markdown;q=nonsense, application/json;q=0.1', 'application/json'],
  ['text/html', 'application/json'],
  ['application/json;q=0, text/markdown;q=0', 'application/json'],
  [',;,', 'application/json'],
] as const)('%j', (header, type) => {
  expect(preferredMedia(header, JSON_FIRST)).toBe(type);
});
