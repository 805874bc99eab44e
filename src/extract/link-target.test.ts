import { expect, test } from 'vitest';
import { isLocalLink, isShareLink, linkTarget } from './link-target.ts';

const PAGE = 'https://docs.example/guide/start?lang=en';

const TARGETS: readonly [string, string | undefined][] = [
  ['../api', 'https://docs.example/api'],
  ['HTTPS://Other.example/a', 'https://other.example/a'],
  ['/a?utm_source=x&page=2&fbclid=1', 'https://docs.example/a?page=2'],
  ['/a?v=1893456000', 'https://docs.example/a'],
  ['/a?ver=7f8d90ab&_=1893456000123&cb=0b8f9d5c-1a2b-4c3d-8e9f-001122334455', 'https://docs.example/a'],
  ['/a?token=q7Jm2Xv9Lr0TzKw4Bd8s&session=x9k2m4p7q1w8e5r3', 'https://docs.example/a'],
  ['/download?ver=1.0', 'https://docs.example/download?ver=1.0'],
  ['/docs?v=1', 'https://docs.example/docs?v=1'],
  ['/agenda?session=monday', 'https://docs.example/agenda?session=monday'],
  ['/agenda?session=Monday-2025-Morning', 'https://docs.example/agenda?session=Monday-2025-Morning'],
  ['/file?hash=abc', 'https://docs.example/file?hash=abc'],
  ['/commit?sid=42', 'https://docs.example/commit?sid=42'],
  ['/commit?utm_source=x&sid=42', 'https://docs.example/commit'],
  ['/a.png?v=171', 'https://docs.example/a.png'],
  ['/a?t=90', 'https://docs.example/a?t=90'],
  ['https://www.facebook.com/watch/?v=10153231379946729', 'https://www.facebook.com/watch/?v=10153231379946729'],
  ['https://www.youtube.com/embed?v=12345678901', 'https://www.youtube.com/embed?v=12345678901'],
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
