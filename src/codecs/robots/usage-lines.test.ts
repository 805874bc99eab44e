import { expect, test } from 'vitest';
import { parseRobots } from './robots.ts';

const SITE = 'https://docs.example';
const said = (robots: string, path: string, agent = 'AIWebIndex') =>
  parseRobots(robots)
    .usageOf(agent, SITE + path)
    .map(({ kind, value }) => `${kind} ${value}`);

// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/
const DRAFT = `User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: train-ai=n
Content-Usage: /ai-ok/ train-ai=y # for all
`;

test.each([
  ['/test', ['content-usage train-ai=n']],
  ['/never/test', []],
  ['/ai-ok/test', ['content-usage train-ai=y']],
])('of %s the most specific line speaks', (path, expected) => {
  expect(said(DRAFT, path)).toEqual(expected);
});

test('who is named hears its own group alone, and lines of one path are all heard', () => {
  const robots = `User-agent: *
Content-Usage: train-ai=n
Content-Usage: search=y
Content-Signal: ai-train=no

Disallow: /x
User-agent: AIWebIndex
Disallow:
Content-Signal:/a* search=no
`;
  expect(said(robots, '/', 'Other')).toEqual([
    'content-usage train-ai=n',
    'content-usage search=y',
    'content-signal ai-train=no',
  ]);
  expect(said(robots, '/')).toEqual([]);
  expect(said(robots, '/ab')).toEqual(['content-signal search=no']);
});

test('licences are named for everybody, wherever they stand', () => {
  const robots = parseRobots(
    'License: https://a.example/l.xml\nUser-agent: x\nLicense: https://a.example/l.xml\nLicense: /not-absolute',
  );
  expect(robots.licenses).toEqual(['https://a.example/l.xml']);
});

test('a line ends no run of names', () => {
  const robots = 'User-agent: a\nContent-Usage: search=n\nUser-agent: b\nDisallow: /';
  expect(parseRobots(robots).allows('a', `${SITE}/p`)).toBe(false);
});
