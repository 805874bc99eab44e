import { expect, test } from 'vitest';
import { EMBEDDED, PAGE_URL, PLAIN, type SectionText, syncedPage, toyVector } from '../../test/support/synced-page.ts';
import { describeSinkFaults } from './sink-faults.contract.ts';
import type { SinkLab } from './sink-lab.contract.ts';
import { heldFacts, heldPages, openPrepared, pageUrls, vectorsOf } from './sink-lab.contract.ts';

const ODD_ANCHORS = [
  '',
  'a/b',
  '../up',
  'ünï-çødé',
  '100%',
  "o'; DROP TABLE sections; --",
  '"quoted"',
  'x'.repeat(900),
];
const ODD_TEXTS = [
  'née',
  '漢字かな交じり文',
  'עברית',
  '👩‍👩‍👧 family',
  'a\tb\\c',
  '$1 ? :x @y',
  'NUL\0inside',
  'half \ud83d of a pair',
];
const MANY = 500;
const EDITS = 30;

/**
 * What every {@link Sink} does. `openLab` gives a new, empty place; what it cannot do or show is left out of it, and the tests that
 * need it are left out with it.
 */
export function describeSink(name: string, openLab: () => Promise<SinkLab>): void {
  test(`${name}: an empty one holds nothing, and removing from it is no error`, async () => {
    await using lab = await openLab();
    await using sink = await openPrepared(lab);
    expect(await pageUrls(sink)).toEqual([]);
    expect(await sink.held(PAGE_URL)).toBeUndefined();
    await sink.remove(PAGE_URL);
    expect(await pageUrls(sink)).toEqual([]);
  });

  test(`${name}: what was put is held, in the order of the page, also by whoever opens it next`, async () => {
    await using lab = await openLab();
    const page = syncedPage([
      ['', 'before the first heading'],
      ['zebra', 'first line\nsecond line'],
      ['ant', 'text'],
    ]);
    {
      await using sink = await openPrepared(lab);
      await sink.put(page);
      expect(await sink.held(PAGE_URL)).toEqual(heldFacts(page));
    }
    await using again = await openPrepared(lab);
    expect(await again.held(PAGE_URL)).toEqual(heldFacts(page));
    const { url, source, checksum } = page;
    expect(await heldPages(again)).toEqual([{ url, source, checksum }]);
  });

  test(`${name}: the last put counts: sections come, change, move and go, and nothing of the old is left`, async () => {
    await using lab = await openLab();
    await using sink = await openPrepared(lab);
    const put = async (...sections: SectionText[]) => {
      const page = syncedPage(sections);
      await sink.put(page);
      expect(await sink.held(PAGE_URL)).toEqual(heldFacts(page));
      const read = await lab.read(PAGE_URL);
      expect(sections.filter(([, text]) => !read.includes(text))).toEqual([]);
      return read;
    };
    await put(['a', 'one-a'], ['b', 'one-b'], ['c', 'one-c']);
    expect(await put(['c', 'one-c'], ['a', 'two-a\nmore'], ['d', 'two-d'])).not.toMatch(/one-a|one-b/);
    expect(await put(['a', 'more\ntwo-a'])).not.toMatch(/one-c|two-d/);
    expect(await put(['', 'three'])).not.toMatch(/two-a/);
  });

  test(`${name}: putting the same page again changes nothing, also through another opening`, async () => {
    await using lab = await openLab();
    const page = syncedPage([
      ['', 'intro'],
      ['a', 'same line\nsame line'],
    ]);
    await using sink = await openPrepared(lab);
    await sink.put(page);
    const before = await lab.dump();
    await sink.put(page);
    await using other = await openPrepared(lab);
    await other.put(page);
    expect(await lab.dump()).toEqual(before);
  });

  test(`${name}: any anchor and any text can be held, a page without sections too`, async () => {
    await using lab = await openLab();
    await using sink = await openPrepared(lab);
    const odd = syncedPage(ODD_ANCHORS.map((anchor, index) => [anchor, ODD_TEXTS[index] ?? '']));
    await sink.put(odd);
    expect(await sink.held(PAGE_URL)).toEqual(heldFacts(odd));
    const before = await lab.dump();
    await sink.put(odd);
    expect(await lab.dump()).toEqual(before);
    const empty = syncedPage([]);
    await sink.put(empty);
    expect(await sink.held(PAGE_URL)).toEqual(heldFacts(empty));
    expect(await pageUrls(sink)).toEqual([PAGE_URL]);
  });

  test(`${name}: pages are apart, however alike their addresses are; removing one leaves the others`, async () => {
    await using lab = await openLab();
    await using sink = await openPrepared(lab);
    const urls = ['', 'a', 'A', 'a/', 'a?x=1', 'a?x=1&y=%20', 'a.md', 'a/index.md', 'ä'].map((path) => PAGE_URL + path);
    const pages = urls.map((url) => syncedPage([['same', `text of <${url}>`]], { url }));
    for (const page of pages) await sink.put(page);
    expect(await pageUrls(sink)).toEqual(urls.toSorted());
    for (const page of pages) expect(await sink.held(page.url)).toEqual(heldFacts(page));
    const [gone = '', ...left] = urls;
    await sink.remove(gone);
    await sink.remove(gone);
    expect(await pageUrls(sink)).toEqual(left.toSorted());
    expect(await sink.held(gone)).toBeUndefined();
    expect(await lab.read(gone)).toBe('');
    for (const url of left) expect(await lab.read(url)).toContain(`text of <${url}>`);
  });

  test(`${name}: a page of ${MANY} sections is one page`, async () => {
    await using lab = await openLab();
    await using sink = await openPrepared(lab);
    const texts = Array.from({ length: MANY }, (_, index): SectionText => [`s${index}`, `text ${index}.`]);
    await sink.put(syncedPage(texts));
    const edited = syncedPage(texts.map(([anchor, text]): SectionText => [anchor, anchor === 's7' ? 'edited' : text]));
    await sink.put(edited);
    expect(await sink.held(PAGE_URL)).toEqual(heldFacts(edited));
  });

  test(`${name}: chunks without a vector keep theirs, others get theirs, and none is left over`, async ({ skip }) => {
    await using lab = await openLab();
    if (lab.readVectors === undefined) skip('it keeps no vectors');
    await using sink = await openPrepared(lab, EMBEDDED);
    const sections = (text: string): SectionText[] => [
      ['', 'intro'],
      ['a', `kept line\n${text}`],
    ];
    await sink.put(syncedPage(sections('old line'), { pipeline: EMBEDDED }));
    const isNew = (text: string) => text === 'new line';
    const page = syncedPage(sections('new line'), { pipeline: EMBEDDED, hasVector: isNew });
    await sink.put(page);
    expect(await vectorsOf(lab)).toEqual(
      new Map(page.sections.flatMap(({ chunks }) => chunks.map(({ id, text }) => [id, [...toyVector(text)]]))),
    );
    const before = await lab.dump();
    await sink.put(page);
    expect(await lab.dump()).toEqual(before);
    await sink.remove(PAGE_URL);
    expect(await vectorsOf(lab)).toEqual(new Map());
  });

  test(`${name}: a chunk that should have a vector and has none is not held as done`, async ({ skip }) => {
    await using lab = await openLab();
    if (lab.readVectors === undefined) skip('it keeps no vectors');
    await using sink = await openPrepared(lab, EMBEDDED);
    const page = syncedPage([['a', 'with\nwithout']], { pipeline: EMBEDDED, hasVector: (text) => text === 'with' });
    await sink.put(page);
    const held = await sink.held(PAGE_URL);
    expect(held?.sections[0]?.chunks.map(({ fingerprint }) => fingerprint)).toEqual([EMBEDDED.fingerprint, '']);
  });

  test(`${name}: another pipeline of the same dimension replaces vectors and fingerprints`, async ({ skip }) => {
    await using lab = await openLab();
    if (lab.readVectors === undefined) skip('it keeps no vectors');
    const other = { fingerprint: 'other:3', embedding: { model: 'other', dimension: 3 } };
    for (const pipeline of [PLAIN, EMBEDDED, other]) {
      await using sink = await openPrepared(lab, pipeline);
      const page = syncedPage([['a', 'text']], { pipeline });
      await sink.put(page);
      expect(await sink.held(PAGE_URL)).toEqual(heldFacts(page));
    }
    expect((await vectorsOf(lab)).size).toBe(1);
  });

  test(`${name}: whoever reads meanwhile finds each section in its old or its new form`, async () => {
    await using lab = await openLab();
    await using sink = await openPrepared(lab);
    const version = (number: number) =>
      syncedPage(['a', 'b', 'c'].map((anchor): SectionText => [anchor, `(${anchor} ${number})`]));
    await sink.put(version(0));
    const watch = await lab.watch(PAGE_URL);
    for (let number = 1; number <= EDITS; number += 1) await sink.put(version(number));
    const readings = await watch.stop();
    expect(readings.length, 'nobody read').toBeGreaterThan(0);
    for (const reading of readings) {
      for (const anchor of ['a', 'b', 'c']) expect(reading).toMatch(new RegExp(`\\(${anchor} \\d+\\)`));
      if (lab.isAtomic) expect(new Set(reading.match(/(?<=\(\w )\d+/g)), reading).toHaveLength(1);
    }
    expect(await lab.read(PAGE_URL)).not.toContain(` ${EDITS - 1})`);
  });

  test(`${name}: two that write at once leave one page whole, and both pages of others`, async () => {
    await using lab = await openLab();
    await using one = await openPrepared(lab);
    await using two = await openPrepared(lab);
    const version = (name: string) =>
      syncedPage(['a', 'b'].map((anchor): SectionText => [`${anchor}-${name}`, `${name}-${anchor}`]));
    const [left, right] = [version('left'), version('right')];
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        one.put(left),
        two.put(right),
        one.put(syncedPage([['', 'one']], { url: `${PAGE_URL}one` })),
        two.put(syncedPage([['', 'two']], { url: `${PAGE_URL}two` })),
      ]);
    }
    const held = await one.held(PAGE_URL);
    expect([heldFacts(left), heldFacts(right)]).toContainEqual(held);
    expect(await two.held(PAGE_URL)).toEqual(held);
    expect(await pageUrls(one)).toEqual([PAGE_URL, `${PAGE_URL}one`, `${PAGE_URL}two`]);
    await two.put(right);
    expect(await lab.read(PAGE_URL)).not.toContain('left');
  });

  describeSinkFaults(name, openLab);
}
