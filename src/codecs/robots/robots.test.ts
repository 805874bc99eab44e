import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { parseRobots, robotsAllow } from './robots.ts';
import { MAX_ROBOTS_BYTES } from './robots-text.ts';

const AGENT = 'AIWebIndex';
const SITE = 'https://docs.example';

test('groups and sitemaps can be looked at', () => {
  const robots = parseRobots(
    'User-agent: A\nUser-agent: b/1\nDisallow: /x\nAllow: /x/y\nSitemap: https://docs.example/s.xml\n' +
      'Sitemap: /relative.xml\nsitemap:https://docs.example/t.xml # second\nSitemap: https://docs.example/s.xml\n' +
      'Sitemap: ftp://docs.example/u.xml\nSitemap: http://[\n',
  );
  expect(robots.groups).toEqual([
    {
      agents: ['a', 'b'],
      rules: [
        { allow: false, path: '/x' },
        { allow: true, path: '/x/y' },
      ],
    },
  ]);
  expect(robots.sitemaps).toEqual(['https://docs.example/s.xml', 'https://docs.example/t.xml']);
});

clause('AWI-R5', 'a Crawl-delay is a number of seconds, an hour at most', () => {
  for (const [value, ms] of [
    ['5', 5000],
    ['0.5', 500],
    ['.25', 250],
    ['2.', 2000],
    ['1.0001', 1001],
    ['3600', 3_600_000],
    ['86400', 3_600_000],
    ['9'.repeat(400), 3_600_000],
    ['0', undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['Infinity', undefined],
    ['NaN', undefined],
    ['5 s', undefined],
    ['', undefined],
  ] as [string, number | undefined][]) {
    expect(parseRobots(`User-agent: *\nCrawl-delay: ${value}\n`).crawlDelayMs(AGENT)).toBe(ms);
  }
});

clause('AWI-R5', 'the longest delay of an own group counts, and that of * only for those without one', () => {
  const robots = parseRobots(
    'Crawl-delay: 60\nUser-agent: *\nCrawl-delay: 9\nDisallow:\n\nUser-agent: AIWebIndex\nCrawl-delay: 2\n' +
      'Crawl-delay: 4\nCrawl-delay: 3\nUser-agent: Named\nDisallow: /x\n',
  );
  expect(robots.crawlDelayMs('AIWebIndex/2.0')).toBe(4000);
  expect(robots.crawlDelayMs('Other')).toBe(9000);
  // Named after the delay, in the same group: the rules are shared, the delay is not.
  expect(robots.crawlDelayMs('Named')).toBeUndefined();
  expect(robots.allows('AIWebIndex', `${SITE}/x`)).toBe(false);
});

test.each([
  ['as text', (text: string) => text],
  ['as bytes', (text: string) => new TextEncoder().encode(text)],
])('only the first 500 KiB are read, whole lines of them, %s', (_, encode) => {
  const rules = (filler: string, last: string) => {
    const start = 'User-agent: *\nDisallow: /early\n#';
    const bytes = new TextEncoder().encode(start + filler).length;
    return encode(`${start}${filler}${'x'.repeat(MAX_ROBOTS_BYTES - bytes - last.length - 1)}\n${last}`);
  };
  const line = 'Disallow: /late';
  for (const filler of ['', 'é'.repeat(90_000), '😀'.repeat(50_000)]) {
    const full = parseRobots(rules(filler, line));
    expect(full.allows(AGENT, `${SITE}/early`)).toBe(false);
    expect(full.allows(AGENT, `${SITE}/late`), 'it fits exactly').toBe(false);
    expect(parseRobots(rules(filler, line)).groups[0]?.rules).toHaveLength(2);
  }
  const begun = (rest: string) => {
    const text = `User-agent: *\nDisallow: /early\n#${'x'.repeat(MAX_ROBOTS_BYTES - 48)}\n${line}`;
    expect(text).toHaveLength(MAX_ROBOTS_BYTES);
    return parseRobots(encode(text + rest));
  };
  expect(begun('\nAllow: /late/not-read').groups[0]?.rules, 'the cut is at the end of a line').toHaveLength(2);
  expect(begun('r\nAllow: /').groups[0]?.rules, 'the cut breaks a line').toHaveLength(1);
});

test('bytes that are not UTF-8 stand for themselves', () => {
  const latin1 = Uint8Array.from(Buffer.from('User-agent: *\nDisallow: /café\nDisallow: /x', 'latin1'));
  const robots = parseRobots(latin1);
  expect(robots.allows(AGENT, `${SITE}/caf%E9`)).toBe(false);
  expect(robots.allows(AGENT, `${SITE}/x`)).toBe(false);
  expect(robots.allows(AGENT, `${SITE}/caf`)).toBe(true);
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), latin1]);
  expect(parseRobots(marked).allows(AGENT, `${SITE}/caf%E9`)).toBe(false);
});

test('UTF-16 with a byte order mark is read', () => {
  const little = Buffer.from('\ufeffUser-agent: *\nDisallow: /é', 'utf16le');
  expect(parseRobots(little).allows(AGENT, `${SITE}/%C3%A9`)).toBe(false);
  expect(parseRobots(Buffer.from(little).swap16()).allows(AGENT, `${SITE}/é`)).toBe(false);
});

test.each<[string, number, (count: number) => [pattern: string, path: string]]>([
  ['stars', 100_000, (count) => [`/${'*a'.repeat(count)}`, `/${'a'.repeat(count - 1)}`]],
  ['stars and an end', 100_000, (count) => [`/${'*a'.repeat(count)}b$`, `/${'a'.repeat(count)}`]],
  [
    'a long literal that almost matches everywhere',
    200_000,
    (count) => [`/*${'a'.repeat(count)}b`, `/${'a'.repeat(2 * count)}`],
  ],
  [
    'one that defeats a search from its end',
    200_000,
    (count) => [`/*${'a'.repeat(10)}b${'a'.repeat(count)}`, `/${'a'.repeat(2 * count)}`],
  ],
  ['a periodic one', 100_000, (count) => [`/*${'ab'.repeat(count)}b`, `/${'ab'.repeat(2 * count)}`]],
  ['many literals of 32', 15_000, (count) => [`/${`*${'a'.repeat(31)}b`.repeat(count)}`, `/${'a'.repeat(26 * count)}`]],
])('hostile: %s is answered in linear steps', async (_, full, make) => {
  const robotsOf = (pattern: string) => `User-agent: *\nDisallow: ${pattern}`;
  const [pattern, path] = make(shortOrLong(full / 10, full));
  expect(robotsAllow(robotsOf(pattern), AGENT, SITE + path)).toBe(true);
  await expectLinear<typeof import('./robots.ts'), [robots: string, path: string]>(
    new URL('./robots.ts', import.meta.url),
    ({ robotsAllow }, [robots, path]) => robotsAllow(robots, 'tidings', `https://site.example${path}`),
    (count) => {
      const [pattern, path] = make(count);
      return [robotsOf(pattern), path];
    },
    1000,
  );
});

test('each of many rules takes a few steps of a URL', async () => {
  const robotsOf = (rules: number) => {
    const kinds = ['/folder-', '/*/part-', '/*.ext', '/p*q*r-'];
    return `User-agent: *\n${Array.from({ length: rules }, (_, n) => `Disallow: ${kinds[n % 4]}${n}$`).join('\n')}`;
  };
  const robots = parseRobots(robotsOf(shortOrLong(1000, 10_000)));
  for (let n = 0; n < shortOrLong(50, 1000); n += 1) {
    expect(robots.allows(AGENT, `${SITE}/guide/chapter-${n}/section?page=${n}`)).toBe(true);
  }
  expect(robots.allows(AGENT, `${SITE}/folder-0`)).toBe(false);
  await expectLinear<typeof import('./robots.ts'), string>(
    new URL('./robots.ts', import.meta.url),
    ({ parseRobots }, text) =>
      parseRobots(text).allows('tidings', 'https://site.example/guide/chapter-1/section?page=1'),
    robotsOf,
    1000,
  );
});

test('a file and a URL that would take minutes together are refused', () => {
  const rules = Array.from({ length: 30_000 }, (_, n) => `Disallow: /*ab${n}`).join('\n');
  const robots = parseRobots(`User-agent: *\n${rules}`);
  expect(robots.allows(AGENT, `${SITE}/${'a'.repeat(50_000)}`)).toBe(false);
  expect(robots.allows(AGENT, `${SITE}/${'a'.repeat(100)}`)).toBe(true);
});

const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '?', '$'), maxLength: 10 }).map((p) => `/${p}`);
const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', '?', '$'), maxLength: 14 }).map((p) => `/x${p}`);
const rule = fc.record({ allow: fc.boolean(), path: pattern });
const fileOf = (rules: readonly { allow: boolean; path: string }[]) =>
  `User-agent: *\n${rules.map((one) => `${one.allow ? 'Allow' : 'Disallow'}: ${one.path}\n`).join('')}`;

test('every answer is that of the plain reading: try all matches, take the longest', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), path, (rules, path) => {
      const matching = rules.filter((one) => plainMatch(one.path, path));
      const longest = Math.max(...matching.map((one) => one.path.length));
      const decisive = matching.filter((one) => one.path.length === longest);
      const allowed = decisive.length === 0 || decisive.some((one) => one.allow);
      expect(robotsAllow(fileOf(rules), AGENT, SITE + path)).toBe(allowed);
    }),
    { numRuns: shortOrLong(300, 3000) },
  );
});

test('a Disallow more never allows more, an Allow more never forbids more', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), rule, path, (rules, added, path) => {
      const before = robotsAllow(fileOf(rules), AGENT, SITE + path);
      const after = robotsAllow(fileOf([...rules, added]), AGENT, SITE + path);
      expect(added.allow ? after || !before : before || !after).toBe(true);
    }),
    { numRuns: shortOrLong(100, 1000) },
  );
});

test('encoding what needs no encoding changes no answer, in the file or in the URL', () => {
  const encoded = (text: string) => text.replaceAll('a', '%61').replaceAll('b', '%62');
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 4 }), path, (rules, path) => {
      const answer = robotsAllow(fileOf(rules), AGENT, SITE + path);
      expect(robotsAllow(fileOf(rules), AGENT, SITE + encoded(path))).toBe(answer);
      const encodedRules = rules.map((one) => ({ ...one, path: encoded(one.path) }));
      expect(robotsAllow(fileOf(encodedRules), AGENT, SITE + path)).toBe(answer);
    }),
  );
});

test('other records, comments and empty lines between any two lines change no answer', () => {
  const noise = fc.constantFrom('', '# word', 'Sitemap: https://docs.example/s', 'Host: a', 'Crawl-delay: 1', 'word');
  const line = fc.oneof(
    fc.constantFrom('User-agent: *', 'User-agent: AIWebIndex', 'User-agent: Other', 'Disallow:'),
    rule.map((one) => `${one.allow ? 'Allow' : 'Disallow'}: ${one.path}`),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(line, noise), { maxLength: 12 }), path, (lines, path) => {
      const quiet = lines.map(([said]) => said).join('\n');
      const noisy = lines.map(([said, other]) => `${said}\r\n${other}`).join('\n');
      expect(robotsAllow(noisy, AGENT, SITE + path)).toBe(robotsAllow(quiet, AGENT, SITE + path));
    }),
    { numRuns: shortOrLong(100, 1000) },
  );
});

test('any text, any bytes, any name and any URL get an answer', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(fc.constantFrom(...'User-agent:*Disallow/%$\n# '), {}),
  );
  fc.assert(
    fc.property(text, fc.uint8Array(), fc.string(), fc.string({ unit: anyCharacter }), (said, bytes, name, url) => {
      const file = `User-agent: *\nDisallow: ${[...said].join('')}`;
      expect(typeof robotsAllow(file, name, url)).toBe('boolean');
      expect(typeof parseRobots(bytes).allows(name, url)).toBe('boolean');
      expect(robotsAllow(file, name, `${SITE}/robots.txt`)).toBe(true);
    }),
    { numRuns: shortOrLong(30, 100) },
  );
});

/** RFC 9309 §2.2.3, read aloud. */
function plainMatch(pattern: string, path: string): boolean {
  if (pattern === '') return true;
  if (pattern === '$') return path === '';
  if (pattern.startsWith('*')) {
    return plainMatch(pattern.slice(1), path) || (path !== '' && plainMatch(pattern, path.slice(1)));
  }
  return path !== '' && path[0] === pattern[0] && plainMatch(pattern.slice(1), path.slice(1));
}
