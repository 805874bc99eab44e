import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { validAtom } from '../../../test/support/xml-validity.ts';
import type { Result } from '../primitives/result.ts';
import { encodeAtomEntry } from './encode-entry.ts';
import { encodeAtomFeed } from './encode-feed.ts';
import { beforeAfter, link, list } from './html.ts';
import { stableId } from './stable-id.ts';
import type { AtomHead } from './wire.ts';

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

describe('by the schema of RFC 4287', () => {
  test('feeds and archives are valid', async () => {
    expect(await validAtom(unwrap(encodeAtomFeed(HEAD, [])), unwrap(encodeAtomFeed(EVERYTHING, [])))).toEqual([]);
  });

  test('entries are, whatever is in their texts', async () => {
    const texts = fc.sample(fc.string({ unit: anyCharacter, maxLength: 50 }), 200);
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
    expect(await validAtom(unwrap(encodeAtomFeed(EVERYTHING, entries)))).toEqual([]);
  });

  test.each([
    ['no id', /<id>.*<\/id>/, ''],
    ['no date', /<updated>[^<]*/, '<updated>today'],
    ['two titles', '<title>', '<title>x</title><title>'],
    ['an unknown element', '<generator>', '<pubDate>x</pubDate><generator>'],
    ['a link that is no address', 'href="https://hub.example/"', 'href="https://hub example/%zz"'],
  ])('%s is found', async (_, from, to) => {
    expect(await validAtom(unwrap(encodeAtomFeed(EVERYTHING, [])).replace(from, to))).not.toEqual([]);
  });
});
