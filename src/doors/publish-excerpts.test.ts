import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { openSqliteLog } from '../io/sqlite/log.ts';
import { check } from './check.ts';
import { type PublishOptions, publish } from './publish.ts';

const SITE = 'https://docs.example/';
const SECRET = 'hunter2';

const build = (text: string) => ({
  'index.html': htmlPage('Home', [
    { id: 'key', heading: 'Key', text },
    { id: 'rest', heading: 'Rest', text: 'The rest.' },
    { id: 'more', heading: 'More', text: 'And more.' },
  ]),
  'gone.html': htmlPage('Gone', [{ id: 'key', heading: 'Key', text }]),
});

const publishTo = (folder: TestFolder, options: Partial<PublishOptions> = {}) =>
  publish({ dir: folder.path, site: SITE, title: 'Docs', author: 'Ann', ...options });

/** Every file but the pages of the author, with its text. */
function published(folder: TestFolder): ReadonlyMap<string, string> {
  const names = readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.html'))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(names.map((name) => [name.slice(folder.path.length + 1), readFileSync(name, 'utf8')]));
}

const telling = (files: ReadonlyMap<string, string>) =>
  [...files].filter(([, text]) => text.includes(SECRET)).map(([name]) => name);

test('without excerpts no text of a page is in anything that is written', async () => {
  using folder = temporaryFolder();
  folder.write(build(`It is ${SECRET}.`));
  await publishTo(folder, { excerpts: false });
  expect(telling(published(folder))).toEqual([]);
  folder.write(build('It is a secret.'));
  expect((await publishTo(folder, { excerpts: false })).changes).toMatchObject([{ anchor: 'key' }, { url: `${SITE}` }]);
  folder.remove('gone.html');
  await publishTo(folder, { excerpts: false });
  const files = published(folder);
  expect(files.size).toBeGreaterThan(15);
  expect(telling(files)).toEqual([]);
  expect([...files.values()].join('\n')).not.toMatch(/The rest\.|is a secret|"(?:excerpt|excerpt_text|before)"/);
  expect(await check(folder.path)).toEqual([]);
});

test('with them both texts are there: the test above can fail', async () => {
  using folder = temporaryFolder();
  folder.write(build(`It is ${SECRET}.`));
  await publishTo(folder);
  folder.write(build('It is a secret.'));
  await publishTo(folder);
  const found = telling(published(folder));
  for (const name of ['log.ndjson', 'changes.atom', 'archive/']) {
    expect(found.join(' ')).toContain(name);
  }
});

test('a site that was published with them writes none from then on, of old records neither', async () => {
  using folder = temporaryFolder();
  folder.write(build(`It is ${SECRET}.`));
  await publishTo(folder, { formats: ['aicf', 'resourcesync', 'diffdelta'] });
  const before = published(folder);
  expect(telling(before)).toContain('.well-known/tidings/pages.ndjson');
  expect((await publishTo(folder, { formats: ['aicf', 'resourcesync'], excerpts: false })).changes).toEqual([]);
  expect(folder.read('.well-known/tidings/pages.ndjson')).not.toContain(SECRET);
  const settled = folder.fingerprint();
  await publishTo(folder, { formats: ['aicf', 'resourcesync'], excerpts: false });
  expect(folder.fingerprint()).toEqual(settled);

  folder.write(build('It is a secret.'));
  folder.remove('gone.html');
  // Also a feed that is made of the old records only now.
  await publishTo(folder, { excerpts: false });
  for (const [name, text] of published(folder)) {
    const old = before.get(name) ?? '';
    const isGrown = name.endsWith('.ndjson') && text.startsWith(old);
    if (text !== old) expect(isGrown ? text.slice(old.length) : text, name).not.toContain(SECRET);
  }
  expect(published(folder).get('changes.atom')).toContain('Removed page');
  expect(await check(folder.path)).toEqual([]);
});

test('texts come back with the pages that are read again once they are wanted again', async () => {
  using folder = temporaryFolder();
  folder.write(build('One.'));
  await publishTo(folder, { excerpts: false });
  expect((await publishTo(folder)).changes).toEqual([]);
  folder.write(build('Two.'));
  await publishTo(folder);
  folder.write(build('Three.'));
  await publishTo(folder);
  expect(folder.read('.well-known/tidings/log.ndjson')).toContain('"before":"Two."');
});

test('the log of a hub keeps them out, too', async () => {
  using folder = temporaryFolder();
  await using log = await openSqliteLog({ folder: folder.path, excerpts: false });
  const draft = { source: 'docs', action: 'update', url: SITE, anchor: 'a' } as const;
  const [change] = await log.append([{ ...draft, excerpt: 'now', before: 'then', title: 'Home' }]);
  expect(change).toMatchObject({ title: 'Home' });
  expect(change).not.toHaveProperty('excerpt');
  expect(change).not.toHaveProperty('before');
});
