import { expect, test } from 'vitest';
import { declaredDate } from './declared-date.ts';

test.each([
  ['<meta property="article:published_time" content="2024-05-01T10:00:00+02:00">', '2024-05-01T08:00:00Z'],
  ["<meta content='2024-05-01' property='article:published_time'>", '2024-05-01T00:00:00Z'],
  ['<meta itemprop="datePublished" content="2024-05-01T10:00Z">', '2024-05-01T10:00:00Z'],
  ['<script type="application/ld+json">{"datePublished" : "2024-05-01T10:00:00Z"}</script>', '2024-05-01T10:00:00Z'],
  ['<p><time datetime="2024-05-01">May 1</time>', '2024-05-01T00:00:00Z'],
  ['<time datetime="2024-06-01">x</time><time itemprop="datePublished" datetime="2024-05-01">', '2024-05-01T00:00:00Z'],
  ['<p>Last updated: <time datetime="2024-06-01">x</time></p>', undefined],
  ['<time itemprop="dateModified" datetime="2024-06-01">x</time>', undefined],
  ['<!-- <meta property="article:published_time" content="2024-05-01"> -->', undefined],
  ['<meta property="article:published_time" content="yesterday"><time datetime="2024-02-30">', undefined],
  ['<time datetime="0001-01-01T00:00:00Z">', undefined],
  ['<time>May 1</time><p>Nothing.', undefined],
])('%s', (html, date) => {
  expect(declaredDate(`<html><head></head><body>${html}</body></html>`)).toBe(date);
});

test('what a page says of itself comes before a time in its text', () => {
  const times = '<time datetime="2023-01-01">a</time>';
  const data = '<script type="application/ld+json">{"datePublished":"2024-01-01"}</script>';
  const meta = '<meta property="article:published_time" content="2025-01-01">';
  expect(declaredDate(times + data + meta)).toBe('2025-01-01T00:00:00Z');
  expect(declaredDate(times + data)).toBe('2024-01-01T00:00:00Z');
});
