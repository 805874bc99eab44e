import { expect, test } from 'vitest';
import { isLocalLink, isShareLink, linkTarget } from './link-target.ts';

const PAGE = 'https://docs.example/guide/start?lang=en';

const TARGETS: readonly [string, string | undefined][] = [
  ['../api', 'https://docs.example/api'],
  ['HTTPS://Other.example/a', 'https://other.example/a'],
  ['/a?utm_source=x&page=2&fbclid=1', 'https://docs.example/a?page=2'],
  ['/a?v=123', 'https://docs.example/a'],
  ['https://video.example/watch?v=dQw4w9WgXcQ', 'https://video.example/watch?v=dQw4w9WgXcQ'],
  ['/a;jsessionid=0F3A?PHPSESSID=9', 'https://docs.example/a'],
  ['/a?csrf_token=1&_csrf=2&sessionid=3', 'https://docs.example/a'],
  ['#below', undefined],
  ['/guide/start?lang=en&utm_medium=mail#below', undefined],
  ['javascript:void(0)', undefined],
  ['mailto:kim@docs.example', 'mailto:kim@docs.example'],
  ['http://[', 'http://['],
];
test.each(TARGETS)('%s leads to %s', (href, target) => {
  expect(linkTarget(href, PAGE)).toBe(target);
});

test('a link to a place on the page is local, one to the page itself is not', () => {
  expect(isLocalLink('#a', PAGE)).toBe(true);
  expect(isLocalLink('start?lang=en#a', PAGE)).toBe(true);
  expect(isLocalLink('start?lang=de#a', PAGE)).toBe(false);
  expect(isLocalLink('start?lang=en', PAGE)).toBe(false);
});

test('a link that posts the page elsewhere is a share link', () => {
  expect(isShareLink('https://twitter.com/intent/tweet?text=x')).toBe(true);
  expect(isShareLink('https://twitter.com/someone')).toBe(false);
});
