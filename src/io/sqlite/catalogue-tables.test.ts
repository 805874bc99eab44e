import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type CatalogueTrial, describeCatalogue } from '../../hub/catalogue/catalogue.contract.ts';
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
}

async function openLab(): Promise<Lab> {
  const folder = await mkdtemp(join(root, 'hub-'));
  const file = join(folder, CATALOGUE_FILE);
  let timeMs = Date.parse('2026-03-01T00:00:00Z');
  const store = await openSqliteHubStore({ folder, now: () => timeMs });
  const said: string[] = [];
  const opened = async (): Promise<LogCatalogue> => {
    const catalogue = new LogCatalogue({
      store,
      newestSeq: (await store.lastChange())?.seq ?? 0,
      open: ({ isDamaged }) =>
        openSqliteCatalogue({
          folder,
          epoch: lab.epoch,
          logStart: store.logStart(),
          idAt: async (seq) => (await store.changesAt([seq]))[0]?.id,
          isDamaged,
        }),
      elapsedMs: () => 0,
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
