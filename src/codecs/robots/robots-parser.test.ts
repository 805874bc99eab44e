/** Compared with `robots-parser`, which many crawlers use. Where the two differ, the reason stands below. */

import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { robotsAllow } from './robots.ts';

type Peer = (url: string, text: string) => { isAllowed(url: string, agent: string): boolean | undefined };

const AGENT = 'AIWebIndex';
const SITE = 'https://docs.example';

const peer = loadPeer();
if (peer === undefined) process.stderr.write('SKIPPED: robots-parser is not installed, nothing is compared with it\n');

const peerAllows = (robots: string, path: string) =>
  // The peer has no answer for another origin only, and these are all of one.
  peer?.(`${SITE}/robots.txt`, robots).isAllowed(SITE + path, AGENT) ?? true;

const unit = fc.constantFrom('a', 'b', '/', 'é', '=');
const literal = fc.string({ unit, maxLength: 2 });
const pattern = fc
  .tuple(fc.array(literal, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([parts, toEnd]) => `/${parts.join('*')}${toEnd ? '$' : ''}`);
const group = fc.record({
  agents: fc.array(fc.constantFrom('*', 'AIWebIndex', 'aiwebindex/2.0', 'Other', 'AIWeb'), {
    minLength: 1,
    maxLength: 2,
  }),
  rules: fc.array(fc.tuple(fc.constantFrom('Allow', 'Disallow'), pattern), { minLength: 1, maxLength: 4 }),
  remark: fc.constantFrom('', '# word\n', '\n', 'Sitemap: https://docs.example/s.xml\n'),
});
const file = fc
  .array(group, { maxLength: 4 })
  .map((groups) =>
    groups
      .map(
        ({ agents, rules, remark }) =>
          agents.map((agent) => `User-agent: ${agent}\n`).join('') +
          rules.map(([verb, path]) => `${verb}: ${path}\n`).join('') +
          remark,
      )
      .join(''),
  );
const path = fc
  .tuple(fc.string({ unit, maxLength: 8 }), fc.boolean())
  .map(([text, query]) => `/${text}${query ? '?a=b' : ''}`);

test.skipIf(peer === undefined)('both answer alike for what both understand', () => {
  let forbidden = 0;
  fc.assert(
    fc.property(file, path, (robots, path) => {
      const ours = robotsAllow(robots, AGENT, SITE + path);
      if (!ours) forbidden += 1;
      expect(ours).toBe(peerAllows(robots, path));
    }),
    { numRuns: shortOrLong(500, 5000) },
  );
  expect(forbidden, 'the comparison is about something').toBeGreaterThan(shortOrLong(30, 200));
});

/** The peer allows, RFC 9309 does not: the reason why it is not the matcher. */
const PEER_ALLOWS_TOO_MUCH: readonly (readonly [why: string, robots: string, path: string])[] = [
  [
    '§2.2.4: another record ends its run of user-agent lines',
    'User-agent: AIWebIndex\nCrawl-delay: 5\nUser-agent: B\nDisallow: /x',
    '/x',
  ],
  ['§2.2.2: it does not decode what the URL need not encode', 'User-agent: *\nDisallow: /baz', '/%62az'],
  ['§2.2.2: nor `~`', 'User-agent: *\nDisallow: /~joe', '/%7Ejoe'],
  ['§2.2.3: an encoded star is no star to it', 'User-agent: *\nDisallow: /a-%2A', '/a-*'],
  ['§2.2.3: nor an encoded dollar a dollar', 'User-agent: *\nDisallow: /a-%24', '/a-$'],
  [
    '§2.2.2, table: reserved characters of the query',
    'User-agent: *\nDisallow: /a?u=https://b',
    '/a?u=https%3A%2F%2Fb',
  ],
  ['§2.2.1: it takes white space for a part of the name', 'User-agent: AIWebIndex bot\nDisallow: /x', '/x'],
  ['§2.2.2: it loses an empty query', 'User-agent: *\nDisallow: /*?', '/a?'],
  ['a Disallow without its slash', 'User-agent: *\nDisallow: x', '/x'],
  ['a Disallow without its colon', 'User-agent: *\nDisallow /x', '/x'],
  ['a Disallow that is misspelled', 'User-agent: *\nDisalow: /x', '/x'],
];

/** We allow, the peer does not. Each is what RFC 9309 says in so many words. */
const PEER_FORBIDS_TOO_MUCH: readonly (readonly [why: string, robots: string, path: string])[] = [
  ['§2.2.2: /robots.txt is implicitly allowed', 'User-agent: *\nDisallow: /', '/robots.txt'],
  ['§2.2.2: an Allow matches after decoding too', 'User-agent: *\nDisallow: /\nAllow: /baz', '/%62az'],
  ['§2.2.1: a group without rules is a group', 'User-agent: *\nDisallow: /\n\nUser-agent: AIWebIndex\n', '/x'],
];

test.skipIf(peer === undefined).each(PEER_ALLOWS_TOO_MUCH)('known difference, it allows: %s', (_, robots, path) => {
  expect({ ours: robotsAllow(robots, AGENT, SITE + path), peer: peerAllows(robots, path) }).toEqual({
    ours: false,
    peer: true,
  });
});

test.skipIf(peer === undefined).each(PEER_FORBIDS_TOO_MUCH)('known difference, it forbids: %s', (_, robots, path) => {
  expect({ ours: robotsAllow(robots, AGENT, SITE + path), peer: peerAllows(robots, path) }).toEqual({
    ours: true,
    peer: false,
  });
});

function loadPeer(): Peer | undefined {
  const require = createRequire(import.meta.url);
  try {
    return require('robots-parser') as Peer;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
