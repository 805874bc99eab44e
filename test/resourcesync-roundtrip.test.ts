import fc from 'fast-check';
import { expect, test } from 'vitest';
import { publish } from '../src/doors/publish.ts';
import { harvestSource } from '../src/follow/resourcesync/harvest-source.ts';
import type { KnownCollection } from '../src/follow/resourcesync/harvested.ts';
import { createUndiciHttpClient } from '../src/io/undici-http-client.ts';
import { gunzip } from '../src/io/zlib-gunzip.ts';
import type { Change } from '../src/model/change.ts';
import { LOG_FILE } from '../src/produce/load-state.ts';
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
  listEntries: fc.integer({ min: 1, max: 4 }),
  lost: fc.array(fc.nat({ max: 99 }), { maxLength: 2 }),
  awake: fc.array(fc.boolean(), { minLength: HARVESTERS, maxLength: HARVESTERS }),
});
const history = fc.record({
  collections: fc.nat({ max: COLLECTIONS.length }),
  publications: fc.array(publication, { minLength: 1, maxLength: 12 }),
});

test('what is published and then harvested is what the log says, whenever a harvester comes by', {
  timeout: 120_000,
}, async () => {
  const seen = { changes: 0, lists: 0, slept: 0 };
  await fc.assert(
    fc.asyncProperty(history, async ({ collections, publications }) => {
      using site = temporaryFolder();
      await using server = await serveFolder(site.path);
      await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
      const draft = new Map<string, number[]>([['index.html', [0, 0, 0, 0]]]);
      const harvesters = Array.from({ length: HARVESTERS }, () => new Harvester(http, server.url));
      let count = 0;
      let closed = closedLists(site);

      for (const [at, { edits, listEntries, lost, awake }] of publications.entries()) {
        loseDocuments(site, lost);
        for (const edit of edits) count = take(draft, edit, count + 1);
        await publishDraft(site, draft, server.url, { listEntries, collections: COLLECTIONS.slice(0, collections) });
        const now = closedLists(site);
        expect(now).toMatchObject(closed);
        closed = now;
        const told = loggedChanges(site);
        for (const [index, harvester] of harvesters.entries()) {
          const isLast = at === publications.length - 1;
          if (!awake[index] && !isLast) {
            seen.slept += 1;
            continue;
          }
          await harvester.harvest();
          expect(harvester.told.toSorted()).toEqual(told.toSorted());
        }
        seen.changes += told.length;
      }
      seen.lists += Object.keys(closed).length;
    }),
    { seed: 7, numRuns: Number(process.env.TIDINGS_ROUNDTRIP_RUNS ?? 12) },
  );
  expect(seen.changes).toBeGreaterThan(100);
  expect(seen.lists).toBeGreaterThan(10);
  expect(seen.slept).toBeGreaterThan(20);
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
        this.told.push(`${new Date(datetimeMs).toISOString()} ${change} ${loc} ${sections.toSorted()}`);
      }
    }
  }
}

/** Each Change List that will not change any more, with the hash of its bytes. */
function closedLists(site: TestFolder): Record<string, string> {
  const files = Object.entries(site.fingerprint());
  return Object.fromEntries(files.filter(([path]) => /changelist-\d+\.xml$/.test(path)));
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
  settings: { readonly listEntries: number; readonly collections: typeof COLLECTIONS },
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
