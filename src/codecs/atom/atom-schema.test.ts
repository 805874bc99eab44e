import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Result } from '../primitives/result.ts';
import { encodeAtomEntry } from './encode-entry.ts';
import { encodeAtomFeed } from './encode-feed.ts';
import { beforeAfter, link, list } from './html.ts';
import { stableId } from './stable-id.ts';
import type { AtomHead } from './wire.ts';

const SCHEMA = fileURLToPath(new URL('../../../test/support/rfc4287.rng', import.meta.url));
const HEAD: AtomHead = {
  id: stableId('https://docs.example/'),
  title: 'T',
  updatedMs: 0,
  author: { name: 'A', url: 'https://docs.example/a b' },
  selfUrl: 'https://docs.example/changes.atom',
};
const EVERYTHING: AtomHead = {
  ...HEAD,
  subtitle: 'S',
  url: 'https://docs.example/[x]|{y}?%zz',
  hubUrls: ['https://hub.example/'],
  prevArchiveUrl: 'https://docs.example/1.atom',
  nextArchiveUrl: 'https://docs.example/3.atom',
  currentUrl: 'https://docs.example/changes.atom',
  isArchive: true,
  language: 'en',
  generator: 'G',
};

function unwrap(result: Result<string>): string {
  if (!result.ok) throw new Error(result.issues[0].message);
  return result.value;
}

/** What the validator complains of; nothing where all is well. */
function complaints(feed: string): string {
  const { status, stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--relaxng', SCHEMA, '-'], {
    input: feed,
    encoding: 'utf8',
  });
  return status === 0 ? '' : stderr || `exit ${status}`;
}

const hasXmllint = spawnSync('xmllint', ['--version']).error === undefined;

describe.skipIf(!hasXmllint)('by the schema of RFC 4287 (needs xmllint, of libxml2-utils)', () => {
  test('feeds and archives are valid', () => {
    expect(complaints(unwrap(encodeAtomFeed(HEAD, [])))).toBe('');
    expect(complaints(unwrap(encodeAtomFeed(EVERYTHING, [])))).toBe('');
  });

  test('entries are, whatever is in their texts', () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 50 }), 200);
    const entries = texts.map((text, at) =>
      unwrap(
        encodeAtomEntry({
          id: stableId(String(at)),
          title: `t${text}`,
          updatedMs: at,
          publishedMs: -62_135_596_800_000,
          author: { name: `n${text}` },
          url: `https://docs.example/${encodeURIComponent(String(at))}?${text.toWellFormed()}#${text.toWellFormed()}`,
          categories: [text],
          summary: text,
          content: [list([[link('https://docs.example/', text)]]), beforeAfter(text, text)],
        }),
      ),
    );
    expect(complaints(unwrap(encodeAtomFeed(EVERYTHING, entries)))).toBe('');
  });

  test.each([
    ['no id', /<id>.*<\/id>/, ''],
    ['no date', /<updated>[^<]*/, '<updated>today'],
    ['two titles', '<title>', '<title>x</title><title>'],
    ['an unknown element', '<generator>', '<pubDate>x</pubDate><generator>'],
    ['a link that is no address', 'href="https://hub.example/"', 'href="https://hub example/%zz"'],
  ])('%s is found', (_, from, to) => {
    expect(complaints(unwrap(encodeAtomFeed(EVERYTHING, [])).replace(from, to))).not.toBe('');
  });
});
