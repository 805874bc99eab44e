import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { pageOf } from '../../../test/support/live-site.ts';
import { temporaryFolder } from '../../../test/support/site.ts';

const SITE = 'https://docs.example/';
const NAMES = Array.from({ length: 8 }, (_, number) => `p${number}.html`);
const filesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, pageOf(`Page ${name}`)]));

/** A folder that was read once. Each wait of the next visits is one step of whoever writes into it. */
async function builtOnce() {
  const folder = temporaryFolder();
  folder.write(filesOf(NAMES));
  const lab = await openVisitLab({ id: 'docs', kind: 'folder', path: folder.path, site: SITE });
  let waits = 0;
  const during = (step: (number: number) => void) => async (ms: number) => {
    expect(ms).toBeGreaterThanOrEqual(1000);
    lab.advance(ms);
    waits += 1;
    step(waits);
  };
  expect(await lab.visit({ wait: during(() => {}) })).toMatchObject({ changes: 8 });
  expect(waits).toBe(0);
  lab.told(SITE);
  return {
    folder,
    lab,
    during,
    waits: () => waits,
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

test('a folder that is emptied and written again, file by file, gives the edit only', async () => {
  await using built = await builtOnce();
  const { folder, lab } = built;
  for (const name of NAMES) folder.remove(name);
  const wait = built.during((number) => {
    const name = NAMES[number - 1];
    if (name !== undefined)
      folder.write({ [name]: pageOf(`Page ${name}`, number === 3 ? 'It says that.' : undefined) });
  });
  expect(await lab.visit({ wait })).toMatchObject({ is: 'read', changes: 1, pages: 8 });
  expect(lab.told(SITE)).toEqual(['update /p2.html#one']);
  expect(built.waits()).toBe(9);
});

test('a file that is caught half-written is one change, with its whole text', async () => {
  await using built = await builtOnce();
  const { folder, lab } = built;
  const whole = pageOf('Page p0.html', 'It says that.');
  folder.write({ 'p0.html': whole.slice(0, whole.length / 2) });
  const wait = built.during((number) => {
    if (number === 1) folder.write({ 'p0.html': whole });
  });
  expect(await lab.visit({ wait })).toMatchObject({ is: 'read', changes: 1, pages: 8 });
  expect(lab.told(SITE)).toEqual(['update /p0.html#one']);
  expect(built.waits()).toBe(2);
  expect(await lab.store.snapshot(String(lab.log.at(-1)?.provenance.after))).toContain('The third part');
});

test('a file that is half-written and then as it was is no change, and keeps its text', async () => {
  await using built = await builtOnce();
  const { folder, lab } = built;
  const whole = pageOf('Page p0.html');
  folder.write({ 'p0.html': whole.slice(0, whole.length / 2) });
  lab.takeCommits();
  expect(await lab.visit({ wait: built.during(() => folder.write({ 'p0.html': whole })) })).toMatchObject({
    changes: 0,
  });
  expect(lab.takeCommits()).toEqual([]);
});

test('a folder that never comes to rest is recorded all the same: what is complete is told, and nothing is taken for gone', async () => {
  await using built = await builtOnce();
  const { folder, lab } = built;
  folder.remove('p0.html');
  folder.write({ 'p2.html': pageOf('Page p2.html', 'It says that.'), 'new.html': pageOf('New') });
  const wait = built.during((number) => folder.write({ 'p1.html': pageOf(`Page ${number}`) }));
  expect(await lab.visit({ wait })).toMatchObject({
    is: 'read',
    changes: 2,
    unread: 1,
    notes: [expect.stringMatching(/p1\.html: .*is being written/)],
  });
  expect(built.waits()).toBe(10);
  expect(lab.told(SITE)).toEqual(['create /new.html', 'update /p2.html#one']);
  expect(await lab.visit({ wait: built.during(() => {}) })).toMatchObject({ is: 'read', changes: 1, unread: 0 });
  expect(lab.told(SITE)).toEqual(['update /p1.html']);
});

test('a page that is being written while the rest is read is left for the next check', async () => {
  await using built = await builtOnce();
  const { folder, lab } = built;
  const whole = pageOf('Page p0.html', 'It says that.');
  const wait = built.during((number) => {
    // One file moves all the time, another begins to in the last moment.
    folder.write({ 'p1.html': pageOf(`Page ${number}`) });
    if (number === 10) folder.write({ 'p0.html': whole.slice(0, whole.length / 2) });
  });
  folder.write({ 'p0.html': whole });
  expect(await lab.visit({ wait })).toMatchObject({ is: 'read', changes: 0, unread: 2 });
  folder.write({ 'p0.html': whole });
  await lab.visit({ wait: built.during(() => {}) });
  expect(lab.told(SITE)).toContain('update /p0.html#one');
});

test('a folder in which every page is in motion fails, and nothing is written', async () => {
  await using built = await builtOnce();
  const { folder, lab } = built;
  lab.takeCommits();
  folder.write({ 'p0.html': pageOf('Other') });
  const wait = built.during((number) =>
    folder.write(Object.fromEntries(NAMES.map((name) => [name, pageOf(`Page ${number}`)]))),
  );
  const unsettled = await lab.visit({ wait });
  expect(unsettled).toMatchObject({ is: 'failed', changes: 0, error: { code: 'FolderUnsettledError' } });
  expect(lab.takeCommits()).toEqual([]);
});

test('a folder in which nothing changed is not waited for', async () => {
  await using built = await builtOnce();
  expect(await built.lab.visit({ wait: built.during(() => {}) })).toMatchObject({ changes: 0, pages: 8 });
  expect(built.waits()).toBe(0);
});

test('a file that became empty is unread and stays as it was', async () => {
  await using built = await builtOnce();
  const { folder, lab } = built;
  folder.write({ 'p0.html': '' });
  expect(await lab.visit()).toMatchObject({
    is: 'read',
    changes: 0,
    pages: 8,
    unread: 1,
    notes: [expect.stringContaining('p0.html: it is empty')],
  });
  folder.write(filesOf(['p0.html']));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, unread: 0 });
});

test('a stop while the folder is waited for abandons the visit', async () => {
  await using built = await builtOnce();
  const { folder, lab } = built;
  folder.write({ 'p0.html': pageOf('Other') });
  const stop = new AbortController();
  const wait = async () => stop.abort();
  expect(await lab.visit({ wait, signal: stop.signal })).toEqual({ is: 'abandoned', changes: 0 });
});
