import { expect, test } from 'vitest';
import { openVisitLab, type VisitLab } from '../../../test/support/hub-visits.ts';
import { pageOf } from '../../../test/support/live-site.ts';
import { type TestFolder, temporaryFolder } from '../../../test/support/site.ts';
import type { FolderConfig } from '../config/source-config.ts';

const SITE = 'https://docs.example/';
const configOf = (folder: TestFolder, extra: Partial<FolderConfig> = {}): FolderConfig => ({
  id: 'docs',
  kind: 'folder',
  path: folder.path,
  site: SITE,
  ...extra,
});
const names = (count: number) => Array.from({ length: count }, (_, number) => `p${number}.html`);
const filesOf = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, pageOf(`Page ${path}`)]));

test('a folder is read, unchanged it gives no commit, and an edit is one update with its anchor', async () => {
  using folder = temporaryFolder();
  folder.write(filesOf(['index.html', 'a.html', 'b/index.html']));
  await using lab = await openVisitLab(configOf(folder));
  expect(await lab.visit()).toEqual({ is: 'read', changes: 3, pages: 3, unread: 0, notes: [] });
  expect(lab.told(SITE)).toEqual(['create /a.html', 'create /b/', 'create /']);
  expect(lab.takeCommits()).toHaveLength(1);

  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 3 });
  expect(lab.takeCommits()).toEqual([]);

  folder.write({ 'a.html': pageOf('Page a.html', 'It says that.') });
  expect(await lab.visit()).toMatchObject({ changes: 1 });
  expect(lab.told(SITE)).toEqual(['update /a.html#one']);
  const [commit] = lab.takeCommits();
  expect(commit?.pages?.put).toHaveLength(1);

  folder.remove('b/index.html');
  expect(await lab.visit()).toMatchObject({ changes: 0, pages: 3 });
  lab.advance(2000);
  expect(await lab.visit()).toMatchObject({ changes: 1, pages: 2 });
  expect(lab.told(SITE)).toEqual(['delete /b/']);
});

test('a section that no id names is marked in the log', async () => {
  using folder = temporaryFolder();
  const written = (text: string) =>
    `<main><h1 id=t>T</h1><p>x</p><h2>Size</h2><p>${text}</p><h2 id=r>R</h2><p>y</p></main>`;
  folder.write({ 'a.html': written('Old.') });
  await using lab = await openVisitLab(configOf(folder));
  await lab.visit();
  folder.write({ 'a.html': written('New.') });
  await lab.visit();
  expect(lab.log.at(-1)).toMatchObject({ anchor: 'size', anchorIs: 'key' });
});

test('changes name the texts before and after, and the texts are kept', async () => {
  using folder = temporaryFolder();
  folder.write(filesOf(['a.html']));
  await using lab = await openVisitLab(configOf(folder));
  await lab.visit();
  folder.write({ 'a.html': pageOf('Page a.html', 'It says that.') });
  await lab.visit();
  folder.write({ 'a.html': `${pageOf('Page a.html', 'It says that.')}<!-- built again -->` });
  expect(await lab.visit()).toMatchObject({ changes: 0 });
  folder.remove('a.html');
  expect(await lab.visit({ allowDeletes: true })).toMatchObject({ changes: 1, pages: 0 });

  const [created, updated, deleted] = lab.log;
  expect(created).toMatchObject({ source: 'docs', provenance: { by: 'compare' } });
  expect(created?.provenance).not.toHaveProperty('before');
  expect(updated?.provenance.before).toBe(created?.provenance.after);
  expect(deleted?.provenance.before).toBe(updated?.provenance.after);
  expect(deleted?.provenance).not.toHaveProperty('after');
  expect(await lab.store.snapshot(String(updated?.provenance.before))).toContain('It says this.');
  expect(await lab.store.snapshot(String(updated?.provenance.after))).toContain('It says that.');
});

test('a folder that is not there fails, and no page is gone by that', async () => {
  using folder = temporaryFolder();
  folder.write(filesOf(['site/a.html', 'site/b.html']));
  const config = { ...configOf(folder), path: `${folder.path}/site` };
  await using lab = await openVisitLab(config);
  await lab.visit();
  folder.remove('site');
  lab.takeCommits();
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'FolderError' } });
  expect(await lab.visit({ allowDeletes: true })).toMatchObject({ is: 'failed', changes: 0 });
  // It goes away between the look at it and the listing of it.
  const openFolder = () => ({
    name: config.path,
    list: () => ({ paths: [], failures: [{ file: config.path, message: 'gone' }] }),
    stampOf: () => '',
    read: () => new Uint8Array(),
  });
  expect(await lab.visit({ openFolder })).toMatchObject({ is: 'failed', error: { code: 'SourceUnreadError' } });
  expect(lab.takeCommits()).toEqual([]);
});

test('the breaker stops when much vanishes, names the words of a hub, and can be told', async () => {
  using folder = temporaryFolder();
  folder.write(filesOf(names(30)));
  await using lab = await openVisitLab(configOf(folder));
  await lab.visit();
  for (const name of names(30).slice(15)) folder.remove(name);
  lab.takeCommits();
  const stopped = await lab.visit();
  expect(stopped).toMatchObject({ is: 'failed', changes: 0, error: { code: 'SafetyStopError' } });
  const message = stopped.is === 'failed' ? stopped.error.message : '';
  expect(message).toContain('tidings source resume docs --allow-deletes');
  expect(message.replace('resume docs --allow-deletes', '')).not.toContain('--');
  expect(lab.takeCommits()).toEqual([]);
  expect(await lab.visit({ allowDeletes: true })).toMatchObject({ is: 'read', changes: 15, pages: 15 });
});

test('pages outside the filter are not read, and those known from before stay without a word', async () => {
  using folder = temporaryFolder();
  folder.write(filesOf(['docs/a.html', 'docs/b.html', 'blog/c.html']));
  await using lab = await openVisitLab(configOf(folder));
  await lab.visit();
  lab.told(SITE);
  lab.configure(configOf(folder, { include: ['/docs/'], exclude: ['*/b'] }));
  folder.write({ 'blog/c.html': pageOf('Other'), 'docs/b.html': pageOf('Other'), 'docs/a.html': pageOf('Other') });
  folder.remove('blog/c.html');
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 1 });
  expect(lab.told(SITE)).toEqual(['update /docs/a.html']);
  expect([...(await lab.store.pagesOf('docs')).pages.keys()]).toContain(`${SITE}blog/c.html`);
  // Once they are wanted again, they are compared with what they were.
  lab.configure(configOf(folder));
  await lab.visit();
  expect(lab.told(SITE)).toEqual(['update /docs/b.html']);
  lab.advance(2000);
  await lab.visit();
  expect(lab.told(SITE)).toEqual(['delete /blog/c.html']);
});

test('of a large folder no more than some texts are held at a time', async () => {
  using folder = temporaryFolder();
  folder.write(filesOf(names(450)));
  await using lab = await openVisitLab(configOf(folder));
  expect(await lab.visit()).toMatchObject({ changes: 450 });
  const commits = lab.takeCommits();
  expect(commits.map(({ snapshots }) => snapshots?.size)).toEqual([200, 200, 50]);
  expect(commits.map(({ drafts }) => drafts.length)).toEqual([0, 0, 450]);
  const texts = await Promise.all(lab.log.map(({ provenance }) => lab.store.snapshot(String(provenance.after))));
  expect(texts.filter((text) => text?.includes('It says this.'))).toHaveLength(450);
  expect(await unchanged(lab)).toEqual([]);
});

async function unchanged(lab: VisitLab) {
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  return lab.takeCommits();
}

test('a frame that changes on all pages is no change of any of them, and the check says so', async () => {
  using folder = temporaryFolder();
  const write = (version: string) =>
    folder.write(
      Object.fromEntries(
        Array.from({ length: 8 }, (_, page) => [
          `p${page}.html`,
          `<title>Page ${page}</title><div><h1>Page ${page}</h1><p>It says ${page}.</p><p>Made for Acme ${version}.</p></div>`,
        ]),
      ),
    );
  write('one');
  await using lab = await openVisitLab({
    id: 'docs',
    kind: 'folder',
    path: folder.path,
    site: 'https://docs.example/',
  });
  await lab.visit();
  write('two');
  const outcome = await lab.visit();
  expect(outcome).toMatchObject({ is: 'read', changes: 0, frame: 8, notes: [expect.stringContaining('8 pages')] });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, notes: [] });
});
