import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePageRecord, type PageRecord, type PagesFile } from './pages-file.ts';
import { decodePagesLayout, decodePagesPart, layOutPages, type PagesLayout, type PagesPart } from './pages-parts.ts';

const LIMITS = { wholeBytes: 1000, partBytes: 8000 };

function record(page: number, edition = 0): PageRecord {
  const url = `https://docs.example/${page}`;
  const outline = { url, title: `Page ${page}`, extractor: '1', checksum: '', preamble: '', sections: [] };
  return encodePageRecord({ file: `file-${page}-${edition}`, bytes: 100, modifiedMs: 1 }, outline);
}

function fileOf(records: Iterable<PageRecord>): PagesFile {
  return { log: 7, marks: { feeds: [1] }, pages: new Map(Array.from(records, (each) => [each.url, each])) };
}

/** As the next publish reads it. */
function readAgain({ head, parts }: PagesLayout): { file: PagesFile; parts: readonly PagesPart[] } {
  const again = parts.map(({ name, bytes }) => decodePagesPart(name, bytes, name));
  return { file: decodePagesLayout({ head, parts: again }, 'pages.ndjson'), parts: again };
}

const linesOf = ({ pages }: PagesFile) => Array.from(pages.values(), ({ line }) => Buffer.from(line).toString()).sort();
const namesOf = ({ parts }: Pick<PagesLayout, 'parts'>) => parts.map(({ name }) => name);

test('few pages stand in one file, as before', () => {
  const { head, parts } = layOutPages(fileOf([record(1), record(2)]), [], LIMITS);
  expect(parts).toEqual([]);
  expect(Buffer.from(head).toString()).toMatch(/^\{"tidings":"pages\/1","log":7,"pages":2,"sha256":/);
});

test('an edit of one page of many leaves the parts of the others as they are, and writes little more than itself', () => {
  const pages = Array.from({ length: 300 }, (_, page) => record(page));
  const first = layOutPages(fileOf(pages), [], LIMITS);
  expect(first.parts.length).toBeGreaterThan(3);
  expect(first.parts.every(({ bytes }) => bytes.length <= LIMITS.partBytes)).toBe(true);

  const known = readAgain(first);
  const edited = record(150, 1);
  const next = layOutPages(fileOf([...known.file.pages.values(), edited]), known.parts, LIMITS);
  const added = next.parts.filter(({ name }) => !namesOf(first).includes(name));
  expect(added.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([Buffer.from(edited.line).toString()]);
  expect(readAgain(next).file.pages.get(edited.url)?.file).toBe('file-150-1');

  const same = readAgain(next);
  expect(layOutPages(same.file, same.parts, LIMITS)).toEqual(next);
});

test('over any history the parts give the pages, are few, and none is larger than the limit', () => {
  const edits = fc.array(fc.tuple(fc.integer({ min: 0, max: 120 }), fc.boolean()), { maxLength: 15 });
  fc.assert(
    fc.property(fc.array(edits, { minLength: 1, maxLength: 25 }), (history) => {
      let pages = new Map(Array.from({ length: 100 }, (_, page) => [page, record(page)]));
      let parts: readonly PagesPart[] = [];
      for (const [edition, publish] of history.entries()) {
        for (const [page, isGone] of publish) {
          if (isGone) pages.delete(page);
          else pages.set(page, record(page, edition + 1));
        }
        const layout = layOutPages(fileOf(pages.values()), parts, LIMITS);
        const again = readAgain(layout);
        expect(linesOf(again.file)).toEqual(linesOf(fileOf(pages.values())));
        expect(layout.parts.length).toBeLessThan(20);
        for (const { bytes } of layout.parts) expect(bytes.length).toBeLessThanOrEqual(LIMITS.partBytes);
        parts = again.parts;
        pages = new Map(Array.from(again.file.pages.values(), (each) => [Number(each.url.split('/').at(-1)), each]));
      }
    }),
    { numRuns: 60 },
  );
});

test('a part that is lost or altered is refused, and says what to do', () => {
  const { parts } = layOutPages(fileOf(Array.from({ length: 20 }, (_, page) => record(page))), [], LIMITS);
  const [{ name, bytes } = { name: '', bytes: new Uint8Array() }] = parts;
  expect(() => decodePagesPart(name, undefined, 'site/part')).toThrow(
    /site\/part: it is not there.*delete pages.ndjson/,
  );
  expect(() => decodePagesPart(name, bytes.subarray(1), 'site/part')).toThrow(/not those that were written/);
});
