import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harvestSource } from '../src/dialects/resourcesync/read/harvest-source.ts';
import type { KnownCollection } from '../src/dialects/resourcesync/read/harvested.ts';
import { type PublishOptions, publish } from '../src/doors/publish.ts';
import { createUndiciHttpClient } from '../src/io/undici/http-client.ts';
import { gunzip } from '../src/io/zlib/gunzip.ts';
import type { Change } from '../src/model/change.ts';
import { LOG_FILE } from '../src/produce/load-state.ts';
import { shortOrLong } from './support/short-or-long.ts';
import { htmlPage, type TestFolder, temporaryFolder } from './support/site.ts';
import { serveFolder } from './support/static-server.ts';

const PAGES = ['index.html', 'c d.html', 'a/index.html', 'a/x.html', 'a/b/index.html', 'a/b/é.html'];
const COLLECTIONS = [{ path: '/a/' }, { path: '/a/b/' }];
const SECTIONS = ['one', 'two', 'three'];
const HARVESTERS = 3;

interface Edit {
  readonly page: number;
  /** What becomes of a page that is not there: it comes. */
  readonly do: 'edit' | 'edit all' | 'noise' | 'delete';
  readonly section: number;
}

interface Publication {
  readonly edits: readonly Edit[];
  /** Which collections there are from now on; undefined where it stays as it was. */
  readonly collections: readonly { readonly path: string }[] | undefined;
  readonly listEntries: number;
  /** Which of the documents are lost before it, of those that there are. */
  readonly lost: readonly number[];
  /** Which of the harvesters come by afterwards. */
  readonly awake: readonly boolean[];
}

const publication: fc.Arbitrary<Publication> = fc.record({
  edits: fc.array(
    fc.record({
      page: fc.nat({ max: PAGES.length - 1 }),
      do: fc.constantFrom('edit', 'edit', 'edit all', 'noise', 'delete'),
      section: fc.nat({ max: SECTIONS.length - 1 }),
    }),
    { maxLength: 6 },
  ),
  collections: fc.option(fc.subarray(COLLECTIONS), { nil: undefined, freq: 3 }),
  listEntries: fc.integer({ min: 1, max: 4 }),
  lost: fc.array(fc.nat({ max: 99 }), { maxLength: 2 }),
  awake: fc.array(fc.boolean(), { minLength: HARVESTERS, maxLength: HARVESTERS }),
});
const history = fc.array(publication, { minLength: 1, maxLength: 12 });

/**
 * Of each collection a harvester hears of every change of the pages that are in it, once, also of pages that were in another one
 * before. So a change is told twice only if its page moved between collections.
 */
test('what is published and then harvested is what the log says, whenever a harvester comes by', async () => {
  const seen = { changes: 0, lists: 0, slept: 0, moved: 0 };
  await fc.assert(
    fc.asyncProperty(history, async (publications) => {
      using site = temporaryFolder();
      await using server = await serveFolder(site.path);
      await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
      const draft = new Map<string, number[]>([['index.html', [0, 0, 0, 0]]]);
      const harvesters = Array.from({ length: HARVESTERS }, () => new Harvester(http, server.url));
      let count = 0;
      let closed = closedLists(site);
      let collections: Publication['collections'] = [];

      for (const [at, { edits, listEntries, lost, awake, ...next }] of publications.entries()) {
        collections = next.collections ?? collections;
        loseDocuments(site, lost);
        for (const edit of edits) count = take(draft, edit, count + 1);
        await publishDraft(site, draft, server.url, { listEntries, collections });
        expectIndexesToAgree(site);
        const now = closedLists(site);
        // One that is lost and that no index names any more stays lost.
        expect({ ...closed, ...now }).toEqual({ ...now, ...closed });
        closed = { ...closed, ...now };
        const logged = loggedChanges(site);
        const inCollections = logged.map((change) => `${collectionOf(change, server.url, collections)} ${change}`);
        for (const [index, harvester] of harvesters.entries()) {
          const isLast = at === publications.length - 1;
          if (!awake[index] && !isLast) {
            seen.slept += 1;
            continue;
          }
          await harvester.harvest();
          const { told } = harvester;
          expect(told).toEqual([...new Set(told)]);
          expect(told).toEqual(expect.arrayContaining(inCollections));
          expect(logged).toEqual(expect.arrayContaining(told.map((line) => line.slice(line.indexOf(' ') + 1))));
          if (publications.every((each) => each.collections === undefined)) expect(told).toHaveLength(logged.length);
          seen.moved += told.length - logged.length;
        }
        seen.changes += logged.length;
      }
      // From nothing but the log and the page state.
      using fresh = temporaryFolder();
      const { listEntries } = publications.at(-1) ?? {};
      const from = { out: fresh.path, previous: site.path, listEntries, collections };
      await publishDraft(site, draft, server.url, from);
      expect(closed).toMatchObject(closedLists(fresh));
      expectIndexesToAgree(fresh);
      seen.lists += Object.keys(closed).length;
    }),
    { seed: 7, numRuns: Number(process.env.TIDINGS_ROUNDTRIP_RUNS ?? shortOrLong(4, 30)) },
  );
  expect(seen.changes).toBeGreaterThan(shortOrLong(30, 100));
  expect(seen.lists).toBeGreaterThan(shortOrLong(3, 10));
  expect(seen.slept).toBeGreaterThan(20);
  expect(seen.moved).toBeGreaterThan(10);
});

/** One who reads what a site says of its changes, and remembers what was told. */
class Harvester {
  readonly told: string[] = [];
  readonly #http: Parameters<typeof harvestSource>[1]['http'];
  readonly #url: URL;
  readonly #seen = new Set<string>();
  #collections: Record<string, KnownCollection> = {};

  constructor(http: Parameters<typeof harvestSource>[1]['http'], url: string) {
    this.#http = http;
    this.#url = new URL(url);
  }

  async harvest(): Promise<void> {
    const readings = harvestSource(
      { url: this.#url },
      {
        http: this.#http,
        gunzip,
        signal: new AbortController().signal,
        now: Date.now,
        known: { collections: this.#collections },
        seenAmong: async (keys) => new Set(keys.filter((key) => this.#seen.has(key))),
      },
    );
    for await (const reading of readings) {
      if (reading.is === 'failed') throw reading.error;
      expect(reading.notes).toEqual([]);
      this.#collections = { ...this.#collections, [new URL(reading.known.describes).href]: reading.known };
      for (const { key, change, loc, datetimeMs, sections } of reading.changes) {
        this.#seen.add(key);
        this.told.push(
          `${reading.known.describes} ${new Date(datetimeMs).toISOString()} ${change} ${loc} ${sections.toSorted()}`,
        );
      }
    }
  }
}

/** Each Change List that will not change any more, with the hash of its bytes. */
function closedLists(site: TestFolder): Record<string, string> {
  const files = Object.entries(site.fingerprint());
  return Object.fromEntries(files.filter(([path]) => /changelist-\d+\.xml$/.test(path)));
}

/** Each entry of an index says of a list what that says of itself. */
function expectIndexesToAgree(site: TestFolder): void {
  const times = (text: string) => [...text.matchAll(/ (?:from|until)="[^"]+"/g)].join('');
  for (const path of Object.keys(site.fingerprint()).filter((name) => name.endsWith('changelist-index.xml'))) {
    const capabilities = path.replace('changelist-index', 'capabilitylist');
    const isListed = site.read('.well-known/resourcesync').includes(`/${capabilities}<`);
    // An index that nothing leads to is of a collection that once was, or of lists that are one now.
    if (!isListed || !site.read(capabilities).includes(`/${path}<`)) continue;
    for (const [entry, name = ''] of site.read(path).matchAll(/<loc>[^<]*\/([^<]+)<\/loc>\s*<rs:md[^>]*>/g)) {
      const list = site.read(path.replace('changelist-index.xml', name));
      expect(times(entry), `${path} ${name}`).toBe(times(list.slice(0, list.indexOf('<url>'))));
    }
  }
}

/** The smallest that holds the page of a change. */
function collectionOf(change: string, site: string, collections: readonly { readonly path: string }[] = []): string {
  const url = change.split(' ')[2] ?? '';
  const all = ['/', ...collections.map(({ path }) => path)].map((path) => new URL(path, site).href);
  return all.filter((each) => url.startsWith(each)).sort((a, b) => b.length - a.length)[0] ?? '';
}

function loseDocuments(site: TestFolder, lost: readonly number[]): void {
  const documents = Object.keys(site.fingerprint()).filter((path) => path.includes('resourcesync'));
  for (const path of new Set(lost.map((number) => documents[number % documents.length]))) {
    if (path !== undefined) site.remove(path);
  }
}

/** By page and run, as a Change List tells it. */
function loggedChanges(site: TestFolder): string[] {
  const lines = site.read(`.well-known/tidings/${LOG_FILE}`).trimEnd().split('\n').slice(1);
  const groups = new Map<string, Change[]>();
  for (const change of lines.map((line) => JSON.parse(line) as Change)) {
    const name = `${new Date(change.time).toISOString()} ${change.url}`;
    groups.set(name, [...(groups.get(name) ?? []), change]);
  }
  return Array.from(groups, ([name, changes]) => {
    const page = changes.find(({ anchor }) => anchor === undefined);
    const change = page?.action === 'create' ? 'created' : page?.action === 'delete' ? 'deleted' : 'updated';
    const anchors = changes.flatMap(({ anchor }) => anchor ?? []).sort();
    return `${name.replace(' ', ` ${change} `)} ${anchors}`;
  });
}

/** A page is a number for each section, and one for what is no content. */
function take(draft: Map<string, number[]>, edit: Edit, count: number): number {
  const name = PAGES[edit.page] ?? '';
  const page = draft.get(name);
  if (page === undefined) draft.set(name, [count, count, count, count]);
  else if (edit.do === 'delete') {
    // A site without pages is none.
    if (draft.size > 1) draft.delete(name);
  } else if (edit.do === 'noise') page[SECTIONS.length] = count;
  else for (const [at] of SECTIONS.entries()) if (at === edit.section || edit.do === 'edit all') page[at] = count;
  return count;
}

async function publishDraft(
  site: TestFolder,
  draft: ReadonlyMap<string, number[]>,
  url: string,
  settings: Pick<PublishOptions, 'listEntries' | 'collections' | 'out' | 'previous'>,
): Promise<void> {
  for (const name of Object.keys(site.fingerprint())) if (name.endsWith('.html')) site.remove(name);
  for (const [name, numbers] of draft) {
    const sections = SECTIONS.map((id, at) => ({ id, heading: id, text: `Number ${numbers[at]}.` }));
    const html = htmlPage(name, sections);
    site.write({ [name]: html.replace('<head>', `<head><!-- ${numbers[SECTIONS.length]} -->`) });
  }
  const formats = ['resourcesync'] as const;
  await publish({ dir: site.path, site: url, force: true, allowDeletes: true, formats, ...settings });
}
