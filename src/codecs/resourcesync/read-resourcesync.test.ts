import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import type { ResourceSyncPart } from './document-reading.ts';
import { type ReadResourceSyncOptions, readResourceSync } from './read-resourcesync.ts';

const OPEN =
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">';
const UP = '<rs:ln rel="up" href="https://example.com/my-shrine/capabilitylist.xml"/>';
const MD = '<rs:md capability="changelist" from="1972-12-31"/>';
const CHANGE = '<url><loc>https://example.com/ä/😀</loc><rs:md change="updated" datetime="2022-11-06"/></url>';
const LIST = `<?xml version="1.0" encoding="UTF-8"?>\n${OPEN}\n${UP}\n${MD}\n${CHANGE}\n</urlset>\n`;

async function partsOf(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options?: ReadResourceSyncOptions,
): Promise<ResourceSyncPart[]> {
  const parts: ResourceSyncPart[] = [];
  for await (const part of readResourceSync(pieces, options)) parts.push(part);
  return parts;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string, options?: ReadResourceSyncOptions) => partsOf([bytesOf(text)], options);

function* piecesOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

clause('RS-L1', 'gives the document first and then its entries', async () => {
  const [document, entry, ...rest] = await read(LIST);
  expect(rest).toEqual([]);
  expect(document).toMatchObject({
    kind: 'document',
    document: {
      capability: 'changelist',
      isIndex: false,
      md: { from: { startMs: Date.UTC(1972, 11, 31) } },
      links: [{ rel: 'up', href: 'https://example.com/my-shrine/capabilitylist.xml' }],
    },
  });
  expect(entry).toEqual({
    kind: 'entry',
    entry: {
      loc: 'https://example.com/ä/😀',
      md: {
        change: 'updated',
        datetime: {
          startMs: Date.UTC(2022, 10, 6),
          endMs: Date.UTC(2022, 10, 7) - 1,
          text: '2022-11-06',
        },
      },
      links: [],
      line: 5,
    },
  });
});

test.each([1, 2, 3, 5, 7, 64])('pieces of %i bytes say the same as the whole', async (size) => {
  const bytes = bytesOf(LIST.replaceAll('\n', '\r\n'));
  expect(await partsOf(piecesOf(bytes, size))).toEqual(await read(LIST));
});

test('every place to cut says the same as the whole', async () => {
  const bytes = bytesOf(LIST);
  const whole = await read(LIST);
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(await partsOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
  }
});

test('an entry is given before the next one comes', async () => {
  const seen: string[] = [];
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield bytesOf(`${OPEN}${UP}${MD}${CHANGE}`);
    seen.push('more is asked for');
    yield bytesOf('</urlset>');
  }
  for await (const part of readResourceSync(slow())) seen.push(part.kind);
  expect(seen).toEqual(['document', 'entry', 'more is asked for']);
});

test('leaving early closes the stream', async () => {
  let isClosed = false;
  function* endless(): Generator<Uint8Array> {
    try {
      yield bytesOf(`${OPEN}${UP}${MD}`);
      for (;;) yield bytesOf(CHANGE);
    } finally {
      isClosed = true;
    }
  }
  for await (const part of readResourceSync(endless())) if (part.kind === 'entry') break;
  expect(isClosed).toBe(true);
});

test('what the stream throws comes through', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield bytesOf(OPEN);
    throw new RangeError('the line is cut');
  }
  await expect(partsOf(broken())).rejects.toThrow('the line is cut');
});

const LATIN_1 = Uint8Array.from(LIST, (character) => character.charCodeAt(0) & 0xff);
const UTF_16 = new Uint8Array([0xff, 0xfe, ...new Uint8Array(Uint16Array.from(LIST, (c) => c.charCodeAt(0)).buffer)]);

test.each([
  ['Latin-1', LATIN_1, 'UTF-8'],
  ['UTF-16', UTF_16, 'UTF-8'],
  ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), 'gzip'],
  ['a cut character', bytesOf(LIST).subarray(0, bytesOf(LIST).indexOf(0xf0) + 2), 'UTF-8'],
  ['an overlong character', new Uint8Array([...bytesOf(OPEN), 0xc0, 0xbc, ...bytesOf('</urlset>')]), 'UTF-8'],
  ['a surrogate in UTF-8', new Uint8Array([...bytesOf(OPEN), 0xed, 0xa0, 0x80, ...bytesOf('</urlset>')]), 'UTF-8'],
])('refuses %s, in pieces of any size', async (_, bytes, word) => {
  for (const size of [1, 2, 100_000]) {
    const parts = await partsOf(piecesOf(bytes, size));
    expect(parts.at(-1)).toMatchObject({ kind: 'refused', issue: { clause: 'RESOURCESYNC-FORM' } });
    expect(JSON.stringify(parts.at(-1))).toContain(word);
  }
});

test('a byte order mark is no part of the text', async () => {
  expect(await partsOf(piecesOf(bytesOf(`\uFEFF${LIST}`), 1))).toEqual(await read(LIST));
});

test('limits of the caller end the reading', async () => {
  const many = `${OPEN}${UP}${MD}${CHANGE.repeat(10)}</urlset>`;
  const entries = (await read(many, { maxEntries: 3 })).map(({ kind }) => kind);
  expect(entries).toEqual(['document', 'entry', 'entry', 'entry', 'refused']);
  const parts = await partsOf(piecesOf(bytesOf(many), 100), { maxBytes: 400 });
  expect(parts.at(-1)).toMatchObject({ kind: 'refused', issue: { clause: 'RESOURCESYNC-LIMIT' } });
  expect((await read(many, { maxBytes: bytesOf(many).length, maxEntries: 10 })).at(-1)?.kind).toBe('entry');
});

const BIG = 'x'.repeat(1024 * 1024);
test.each([
  ['an endless text', `${OPEN}${UP}${MD}<url><loc>https://example.com/${BIG}`],
  ['an endless attribute', `${OPEN}${UP}${MD}<url><rs:md change="${BIG}`],
  ['an endless name', `${OPEN}<${BIG}`],
  ['an endless comment', `${OPEN}<!--${BIG}`],
  ['an endless instruction', `${OPEN}<?a ${BIG}`],
  ['endless white space', `${OPEN}${' '.repeat(1024 * 1024)}`],
  ['white space without a root', ' '.repeat(1024 * 1024)],
  ['an endless DOCTYPE', `<!DOCTYPE a [${BIG}`],
  ['endless links of an entry', `${OPEN}${UP}${MD}<url>${'<rs:ln rel="a" href="b:c"/>'.repeat(20_000)}`],
  ['endless links of the document', `${OPEN}${UP.repeat(20_000)}`],
  ['endless attributes', `${OPEN}<a ${Array.from({ length: 1000 }, (_, at) => `a${at}=""`).join(' ')}/>`],
  ['endless nesting', `${OPEN}${'<a>'.repeat(10_000)}`],
  ['a document that follows endless comments', `${OPEN}${UP}${MD}</urlset><!--${BIG}-->`],
])('[T-RS-16] refuses %s before it is held', async (_, text) => {
  let given = 0;
  function* counted(): Generator<Uint8Array> {
    for (const piece of piecesOf(bytesOf(`${text}${text}`), 16 * 1024)) {
      given += piece.length;
      yield piece;
    }
  }
  const parts = await partsOf(counted());
  expect(parts.at(-1)).toMatchObject({ kind: 'refused', issue: { clause: 'RESOURCESYNC-LIMIT' } });
  expect(given).toBeLessThan(400 * 1024);
});
