import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import { encodeSectionsNote } from '../../model/sections-note.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { Catalogue, ChangeSearch, DayRange, FoundChanges, Paging } from './catalogue.ts';
import { dayText } from './catalogue-entry.ts';
import type { LogCatalogue } from './log-catalogue.ts';
import { naiveCatalogue } from './naive-catalogue.contract.ts';

/** A log with a catalogue beside it, in a place of their own. */
export interface CatalogueTrial extends AsyncDisposable {
  readonly store: HubStore;
  readonly catalogue: LogCatalogue;
  /** What changes are stamped with from now on. */
  setTime(ms: number): void;
  /** Opens the catalogue anew, as it is on the disk. */
  reopen(): Promise<void>;
  /** Keeps a copy of the catalogue as it is on the disk; the answer puts it back, as a kill would leave it. */
  remember(): Promise<() => Promise<void>>;
}

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-03-01T12:00:00Z');
const RANGE: DayRange = { from: '2026-02-27', to: '2026-03-20' };

/** What every catalogue says: the same as one who looks at every change of the log. */
export function describeCatalogue(name: string, openNew: () => Promise<CatalogueTrial>): void {
  describe(name, () => {
    test('an empty log has nothing, and no question fails', async () => {
      await using trial = await openNew();
      await expectSame(trial, []);
      expect(trial.catalogue.standing).toEqual({ seq: 0, behind: 0 });
    });

    test('a change of a page is one of the sections that its note names', async () => {
      await using trial = await openNew();
      const note = `many-sections; ${encodeSectionsNote({ changed: ['tiers', 'a,b'], added: [], removed: ['old'] })}`;
      const log = await commit(trial, [
        { ...PAGE, anchor: 'tiers', heading: 'Tiers' },
        { ...PAGE, note },
        { ...PAGE, anchor: 'limits', heading: 'Limits' },
        { ...PAGE, url: `${PAGE.url}b`, anchor: 'tiers' },
      ]);
      const { changes } = await trial.catalogue.timeline({ url: PAGE.url, anchor: 'tiers' });
      expect(changes.map(({ seq }) => seq)).toEqual([2, 1]);
      const sections = await trial.catalogue.sections('docs', PAGE.url);
      expect(sections.map(({ anchor, last }) => [anchor, last.seq]).sort()).toEqual([
        ['a,b', 2],
        ['limits', 3],
        ['old', 2],
        ['tiers', 2],
      ]);
      await expectSame(trial, log);
    });

    test('words are found by their beginnings, in any case, with and without accents, also of writings without spaces', async () => {
      await using trial = await openNew();
      await commit(trial, [
        { ...PAGE, title: 'Régler les DÉLAIS' },
        { ...PAGE, title: '更新安装指南' },
        { ...PAGE, title: 'x', summary: 'Rate-limit of the API "v2"' },
        { ...PAGE, url: 'https://docs.example/caf%C3%A9/menu.html' },
      ]);
      const found = async (words: string) => (await trial.catalogue.find({ words })).changes.map(({ seq }) => seq);
      expect(await found('delai REGL')).toEqual([1]);
      expect(await found('安装')).toEqual([2]);
      expect(await found('limit" OR *')).toEqual([]);
      expect(await found('limit rate')).toEqual([3]);
      expect(await found('cafe')).toEqual([4]);
      expect(await found('x')).toEqual([3]);
      expect(await found('*" -')).toEqual([]);
      expect(await found(' ')).toEqual([4, 3, 2, 1]);
    });

    test('a search that looks long enough ends, and goes on where it ended', async () => {
      await using trial = await openNew();
      for (let round = 0; round < 12; round += 1) {
        await commit(
          trial,
          Array.from({ length: 100 }, (_, at) => ({ ...PAGE, url: `${PAGE.url}${at}/deep` })),
        );
      }
      const search: ChangeSearch = { path: '/*/deep', words: 'deep', limit: 10 };
      const none: ChangeSearch = { path: '/deep/*' };
      const page = await trial.catalogue.find(search);
      expect(page.changes).toHaveLength(10);
      const first = await trial.catalogue.find(none);
      expect(first).toMatchObject({ changes: [], isCut: true });
      expect(await allPages((paging) => trial.catalogue.find({ ...none, ...paging }))).toEqual([]);
    });

    test('what is cut off the log is forgotten', async () => {
      await using trial = await openNew();
      const log: Change[] = [];
      for (let day = 0; day < 6; day += 1) {
        trial.setTime(NOON + day * DAY_MS);
        log.push(...(await commit(trial, DRAFTS)));
      }
      await trial.store.cutLog(DRAFTS.length * 2 + 1);
      await trial.catalogue.mend();
      await expectSame(trial, log.slice(DRAFTS.length * 2 + 1));
      await trial.store.cutLog(log.length - 1);
      await trial.catalogue.mend();
      await expectSame(trial, log.slice(-1));
      await trial.reopen();
      await expectSame(trial, log.slice(-1));
    });

    test('a log that was cut while nobody looked is taken over anew', async () => {
      await using trial = await openNew();
      await commit(trial, DRAFTS);
      const goBack = await trial.remember();
      const log = await commit(trial, DRAFTS);
      await trial.store.cutLog(DRAFTS.length + 1);
      await goBack();
      await trial.catalogue.mend();
      await expectSame(trial, log.slice(1));
    });

    test('any log is answered for as by one who looks at all of it, also behind a kill', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(runs, { maxLength: 8 }), fc.nat(), async (log, at) => {
          await using trial = await openNew();
          const changes: Change[] = [];
          let goBack = async () => {};
          let timeMs = NOON;
          for (const [index, { drafts, waitMs }] of log.entries()) {
            if (index === at % (log.length + 1)) goBack = await trial.remember();
            timeMs += waitMs;
            trial.setTime(timeMs);
            changes.push(...(await commit(trial, drafts)));
          }
          await expectSame(trial, changes);
          await goBack();
          await trial.catalogue.mend();
          await expectSame(trial, changes);
        }),
        { numRuns: shortOrLong(3, 100) },
      );
    });
  });
}

const PAGE: ChangeDraft = { source: 'docs', action: 'update', url: 'https://docs.example/', title: 'Docs' };
const URLS = [
  'https://docs.example/',
  'https://docs.example/guide/install',
  'https://docs.example/guide/',
  'https://docs.example/%E0%A4%A?q=1',
];
const WORDS = ['Install', 'guide', 'Gründe', '安装', 'x', '\uD800', '"NOT"'];
const ANCHORS = ['install', 'a,b', 'ünïcode', '\uDC00'];
const DRAFTS: readonly ChangeDraft[] = [
  { ...PAGE, action: 'create' },
  { ...PAGE, source: 'api', kind: 'endpoint', url: 'https://api.example/v1', title: 'v1' },
  { ...PAGE, anchor: 'install', heading: 'Install' },
  { ...PAGE, action: 'delete', url: 'https://docs.example/guide/install' },
];

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }).map((words) => words.join(' '));
const names = fc.uniqueArray(fc.constantFrom(...ANCHORS.slice(0, 3)), { maxLength: 3 });
const boundary = fc.oneof(
  fc.record({ anchor: fc.constantFrom(...ANCHORS), heading: text }),
  fc.record({ changed: names, added: names, removed: fc.constant([]) }).map((sections) => {
    const note = encodeSectionsNote(sections);
    return note === undefined ? {} : { note };
  }),
);
const draft = fc
  .record({
    source: fc.constantFrom('docs', 'api', 'blog'),
    action: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
    kind: fc.constantFrom('page' as const, 'endpoint' as const),
    url: fc.constantFrom(...URLS),
    title: text,
    boundary,
  })
  .map(({ boundary: named, ...rest }): ChangeDraft => ({ ...rest, ...named }));
const runs = fc.record({
  drafts: fc.array(draft, { minLength: 1, maxLength: 12 }),
  waitMs: fc.integer({ min: 0, max: 3 * DAY_MS }),
});

async function commit(
  { store, catalogue }: CatalogueTrial,
  drafts: readonly ChangeDraft[],
): Promise<readonly Change[]> {
  const changes = await store.commit({ source: drafts[0]?.source ?? 'docs', drafts });
  await catalogue.add(changes);
  return changes;
}

async function expectSame({ catalogue }: CatalogueTrial, log: readonly Change[]): Promise<void> {
  const naive = naiveCatalogue(log);
  const same = async <T>(ask: (one: Omit<Catalogue, 'standing'>) => Promise<T>, what: string) =>
    expect(await ask(catalogue), what).toEqual(await ask(naive));
  for (const source of [undefined, 'docs', 'nobody']) {
    await same((one) => one.tallies(RANGE, source), `tallies of ${source}`);
    for (const path of [undefined, '/**', '/guide/**', '/guide/*', '/gu*/install']) {
      for (const action of [undefined, 'delete' as const]) {
        const search = { source, path, action, limit: 5 };
        await same((one) => allPages((paging) => one.find({ ...search, ...paging })), JSON.stringify(search));
      }
    }
  }
  await same((one) => one.busiestSources(RANGE, 2), 'the busiest');
  await same((one) => one.busiestSources({ from: dayText(0), to: '2026-03-02' }, 9), 'the busiest of the first days');
  for (const search of SEARCHES) {
    await same((one) => allPages((paging) => one.find({ ...search, ...paging })), JSON.stringify(search));
  }
  for (const words of [undefined, 'guide', 'inst', '安']) {
    await same((one) => one.pages({ source: 'docs', words, limit: 2 }), `pages with ${words}`);
  }
  for (const url of URLS) {
    const sorted = async (one: Omit<Catalogue, 'standing'>) =>
      (await one.sections('docs', url)).toSorted((a, b) => b.last.seq - a.last.seq || (a.anchor < b.anchor ? -1 : 1));
    await same(sorted, `sections of ${url}`);
    for (const anchor of [undefined, ...ANCHORS]) {
      for (const source of [undefined, 'docs']) {
        const query = { url, anchor, source, limit: 2 };
        await same((one) => eachPage((paging) => one.timeline({ ...query, ...paging })), JSON.stringify(query));
      }
    }
  }
}

const SEARCHES: readonly ChangeSearch[] = [
  { kind: 'page' },
  { kind: 'endpoint', source: 'api' },
  { words: 'gui' },
  { words: 'instal GRU', kind: 'page' },
  { words: '安', action: 'update' },
  { fromMs: NOON + DAY_MS, toMs: NOON + 3 * DAY_MS },
  { words: 'x', fromMs: NOON + 2 * DAY_MS },
  { path: 'guide' },
  { path: '/[' },
];

/** Every page of an answer, one behind the other. */
async function eachPage(ask: (paging: Paging) => Promise<FoundChanges>): Promise<readonly FoundChanges[]> {
  const pages: FoundChanges[] = [];
  let before: number | undefined;
  do {
    const page: FoundChanges = await ask({ before });
    pages.push(page);
    const { older } = page;
    if (older !== undefined && before !== undefined && older >= before) throw new Error(`${older} is not older.`);
    before = older;
  } while (before !== undefined);
  return pages;
}

/** The same where a search may end before its page is full. */
async function allPages(ask: (paging: Paging) => Promise<FoundChanges>): Promise<readonly Change[]> {
  return (await eachPage(ask)).flatMap(({ changes }) => changes);
}
