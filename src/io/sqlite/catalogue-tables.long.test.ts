import { copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LogFullError } from '../../errors/log-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import type { TidingsError } from '../../errors/tidings-error.ts';
import { type CatalogueTrial, describeCatalogue } from '../../hub/catalogue/catalogue.contract.ts';
import type { CatalogueTables } from '../../hub/catalogue/catalogue-tables.ts';
import { LogCatalogue } from '../../hub/catalogue/log-catalogue.ts';
import type { ChangeDraft } from '../../model/change.ts';
import { CATALOGUE_FILE, openSqliteCatalogue } from './catalogue-file.ts';
import { openRawDatabase } from './database.ts';
import { openSqliteHubStore } from './hub-store.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-catalogue-'));
afterAll(() => rm(root, { recursive: true }));

const DRAFT: ChangeDraft = { source: 'docs', action: 'update', url: 'https://docs.example/', title: 'Docs' };

interface Lab extends CatalogueTrial {
  readonly file: string;
  readonly said: string[];
  epoch: string | undefined;
  catalogue: LogCatalogue;
  /** How much time goes by from one look at the clock to the next. */
  stepMs: number;
  /** What the tables throw at every write or read; it counts how often. */
  fault: { readonly error: TidingsError; at: 'add' | 'pages'; fired: number } | undefined;
}

/** The tables of a disk that fails while the lab says so. */
function failing(tables: CatalogueTables, lab: Lab): CatalogueTables {
  return new Proxy(tables, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (lab.fault?.at !== name) return value.apply(target, given);
        lab.fault.fired += 1;
        throw lab.fault.error;
      };
    },
  });
}

async function openLab(): Promise<Lab> {
  const folder = await mkdtemp(join(root, 'hub-'));
  const file = join(folder, CATALOGUE_FILE);
  let timeMs = Date.parse('2026-03-01T00:00:00Z');
  const store = await openSqliteHubStore({ folder, now: () => timeMs });
  let elapsedMs = 0;
  const said: string[] = [];
  const opened = async (): Promise<LogCatalogue> => {
    const catalogue = new LogCatalogue({
      store,
      newestSeq: (await store.lastChange())?.seq ?? 0,
      open: async ({ isDamaged }) => {
        const idAt = async (seq: number) => (await store.changesAt([seq]))[0]?.id;
        const place = { folder, epoch: lab.epoch, logStart: store.logStart(), idAt, isDamaged };
        return failing(await openSqliteCatalogue(place), lab);
      },
      elapsedMs: () => {
        elapsedMs += lab.stepMs;
        return elapsedMs;
      },
      onProblem: (message) => void said.push(message),
    });
    await catalogue.open();
    return catalogue;
  };
  const lab: Lab = {
    file,
    said,
    store,
    epoch: undefined,
    fault: undefined,
    stepMs: 0,
    catalogue: undefined as unknown as LogCatalogue,
    setTime(ms) {
      timeMs = ms;
    },
    async reopen() {
      await lab.catalogue[Symbol.asyncDispose]();
      lab.catalogue = await opened();
    },
    async remember() {
      await lab.reopen();
      await copyFile(file, `${file}.kept`);
      return async () => {
        await lab.catalogue[Symbol.asyncDispose]();
        await copyFile(`${file}.kept`, file);
        lab.catalogue = await opened();
      };
    },
    async [Symbol.asyncDispose]() {
      await lab.catalogue[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
  lab.catalogue = await opened();
  return lab;
}

async function filled(lab: Lab): Promise<void> {
  await lab.catalogue.add(await lab.store.commit({ source: 'docs', drafts: [DRAFT, DRAFT] }));
}

async function count(lab: Lab): Promise<number> {
  return (await lab.catalogue.find({})).changes.length;
}

describeCatalogue('a catalogue in SQLite', openLab);

test('one of another log is thrown away', async () => {
  await using lab = await openLab();
  await filled(lab);
  await lab.reopen();
  expect(lab.catalogue.standing).toEqual({ seq: 2, behind: 0 });
  lab.epoch = 'a1';
  await lab.reopen();
  expect(lab.catalogue.standing).toEqual({ seq: 0, behind: 2 });
  await lab.catalogue.mend();
  expect(await count(lab)).toBe(2);
});

test('one of another format, or from behind the end of the log, is thrown away', async () => {
  await using lab = await openLab();
  await filled(lab);
  for (const change of [
    'PRAGMA user_version = 99',
    `UPDATE catalogue SET seq = 7, id = 'x'`,
    `UPDATE catalogue SET id = 'x'`,
  ]) {
    await lab.catalogue[Symbol.asyncDispose]();
    const database = await openRawDatabase(lab.file);
    database.exec(change);
    database.close();
    await lab.reopen();
    expect(lab.catalogue.standing, change).toEqual({ seq: 0, behind: 2 });
    await lab.catalogue.mend();
    expect(await count(lab)).toBe(2);
  }
});

test('one that is damaged when it is opened is thrown away', async () => {
  await using lab = await openLab();
  await filled(lab);
  await lab.catalogue[Symbol.asyncDispose]();
  await writeFile(lab.file, 'no database at all, '.repeat(1000));
  await lab.reopen();
  await lab.catalogue.mend();
  expect(await count(lab)).toBe(2);
  expect(lab.said).toEqual([]);
});

test('a disk that is full is said once; what is known is still answered, and the rest is taken over when there is room', async () => {
  await using lab = await openLab();
  await filled(lab);
  lab.fault = { error: new LogFullError(lab.file, 'planted'), at: 'add', fired: 0 };
  await filled(lab);
  await lab.catalogue.mend();
  expect(lab.fault.fired).toBeGreaterThan(1);
  expect(lab.said).toEqual([expect.stringContaining('The index over the log cannot be used: No room')]);
  expect(lab.catalogue.standing).toEqual({ seq: 2, behind: 2, trouble: expect.stringContaining('No room') });
  expect((await lab.catalogue.pages({ source: 'docs' })).pages).toMatchObject([{ changes: 2 }]);
  lab.fault = undefined;
  await lab.catalogue.mend();
  expect(lab.catalogue.standing).toEqual({ seq: 4, behind: 0 });
  expect(await count(lab)).toBe(4);
});

test('one that is found to be damaged while it is read is made again', async () => {
  await using lab = await openLab();
  await filled(lab);
  const error = new StateCorruptError(lab.file, 'planted.', 'None.');
  lab.fault = { error, at: 'pages', fired: 0 };
  const asking = lab.catalogue.pages({ source: 'docs' });
  await expect(asking).rejects.toMatchObject({ name: 'CatalogueUnavailableError', recovery: 'retry-later' });
  expect(lab.fault.fired).toBe(1);
  lab.fault = undefined;
  const before = await count(lab);
  await lab.catalogue.mend();
  expect([before, await count(lab)]).toEqual([2, 2]);
  expect((await lab.catalogue.pages({ source: 'docs' })).pages).toMatchObject([{ changes: 2 }]);
});

test('its cost on the disk does not follow the length of texts and addresses', async () => {
  await using lab = await openLab();
  const url = `https://docs.example/${'deep/'.repeat(300)}`;
  const summary = Array.from({ length: 400 }, (_, at) => `word${at % 7}`).join(' ');
  const drafts = Array.from({ length: 1000 }, (_, at) => ({ ...DRAFT, url, summary, anchor: `part-${at % 9}` }));
  await lab.catalogue.add(await lab.store.commit({ source: 'docs', drafts }));
  await lab.reopen();
  expect((await stat(lab.file)).size / drafts.length).toBeLessThan(200);
});

test('a search on a slow machine ends early, and leaves nothing out', async () => {
  await using lab = await openLab();
  const drafts = Array.from({ length: 230 }, (_, at) => ({ ...DRAFT, title: at % 3 === 0 ? 'Limits' : 'Docs' }));
  await lab.catalogue.add(await lab.store.commit({ source: 'docs', drafts }));
  lab.stepMs = 1000;
  const found: number[] = [];
  let [before, asked]: [number | undefined, number] = [undefined, 0];
  do {
    const { changes, older } = await lab.catalogue.find({ words: 'docs', path: '/**', before, limit: 500 });
    found.push(...changes.map(({ seq }) => seq));
    [before, asked] = [older, asked + 1];
  } while (before !== undefined);
  expect(asked).toBeGreaterThan(1);
  expect(found).toEqual(
    drafts
      .map((_, at) => at + 1)
      .filter((seq) => (seq - 1) % 3 !== 0)
      .reverse(),
  );
});
