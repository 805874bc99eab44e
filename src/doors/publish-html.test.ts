import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOSTILE_STRINGS } from '../../test/support/hostile-strings.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { isOwnPage } from '../extract/own-page.ts';
import { type PublishOptions, publish } from './publish.ts';

const SITE = 'https://docs.example/';
const PAGE = 'changes/index.html';
const DISCOVERY = '.well-known/ai-changefeed';

const build = (text: string) => ({
  'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text: 'Welcome.' }]),
  'pricing.html': htmlPage('Pricing', [{ id: 'tiers', heading: 'Tiers', text }]),
});

async function publishTo(folder: TestFolder, text: string, options: Partial<PublishOptions> = {}) {
  folder.write(build(text));
  return await publish({ dir: folder.path, site: SITE, formats: ['aicf', 'atom', 'html'], ...options });
}

const aboutIn = (folder: TestFolder) => (JSON.parse(folder.read(DISCOVERY)) as { about?: string }).about;

test('a publish writes what changed for people, word by word, and discovery points to it', async () => {
  using folder = temporaryFolder();
  const { artifacts } = await publishTo(folder, 'Ten euros a month.', { title: 'Docs' });
  expect(artifacts).toContain(PAGE);
  expect(folder.read(PAGE)).toContain('2 pages to begin with');
  const again = await publishTo(folder, 'Twelve euros a month.', { title: 'Docs' });
  expect(again.changes).toMatchObject([{ action: 'update', url: `${SITE}pricing.html`, anchor: 'tiers' }]);
  const page = folder.read(PAGE);
  expect(page).toContain('<del>Ten</del><ins>Twelve</ins> euros a month.');
  expect(page).toContain('<a href="../pricing.html#tiers"><bdi>Pricing › Tiers</bdi></a>');
  expect(page).toContain('href="../changes.atom"');
  expect(aboutIn(folder)).toBe(`${SITE}changes/`);

  await publishTo(folder, 'Twelve euros a month.', { title: 'Docs', about: `${SITE}about.html` });
  expect(aboutIn(folder)).toBe(`${SITE}about.html`);
});

test('without a change no byte of it changes, and it is no page of the site', async () => {
  using folder = temporaryFolder();
  await publishTo(folder, 'Ten.');
  await publishTo(folder, 'Twelve.');
  const before = folder.fingerprint();
  const report = await publishTo(folder, 'Twelve.');
  expect(report).toMatchObject({ pages: 2, changes: [], failed: [] });
  expect(folder.fingerprint()).toEqual(before);
});

test('a job that starts from nothing writes the same page', async () => {
  using folder = temporaryFolder();
  using fresh = temporaryFolder();
  await publishTo(folder, 'Ten.');
  await publishTo(folder, 'Twelve.');
  await publishTo(fresh, 'Twelve.', { previous: folder.path });
  expect(fresh.read(PAGE)).toBe(folder.read(PAGE));
});

test('a page of an author stays, is not pointed to, and is spoken of', async () => {
  using folder = temporaryFolder();
  folder.write({ [PAGE]: htmlPage('Our changes', [{ id: 'a', heading: 'One', text: 'By hand.' }]) });
  const before = folder.read(PAGE);
  const { suggestions, pages } = await publishTo(folder, 'Ten.');
  expect(folder.read(PAGE)).toBe(before);
  expect(pages).toBe(3);
  expect(aboutIn(folder)).toBeUndefined();
  expect(suggestions).toContainEqual(expect.stringContaining(`${join(folder.path, PAGE)} is a page of the site`));
});

test('it can be switched off, and goes then; one of an author does not', async () => {
  using folder = temporaryFolder();
  await publishTo(folder, 'Ten.');
  await publishTo(folder, 'Ten.', { changesPage: false });
  expect(Object.keys(folder.fingerprint())).not.toContain(PAGE);
  expect(aboutIn(folder)).toBeUndefined();
  folder.write({ [PAGE]: htmlPage('Ours', []) });
  await publishTo(folder, 'Ten.', { changesPage: false });
  expect(folder.read(PAGE)).toContain('Ours');
});

test('without excerpts it has no text of a page', async () => {
  using folder = temporaryFolder();
  await publishTo(folder, 'Ten euros a month.');
  await publishTo(folder, 'Twelve euros a month.', { excerpts: false });
  expect(folder.read(PAGE)).toContain('Pricing › Tiers');
  expect(folder.read(PAGE)).not.toContain('euros');
});

test('older changes are on numbered pages, which stay as they are, and come back when they are lost', async () => {
  using folder = temporaryFolder();
  const many = (round: number) =>
    Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `p${at}.html`,
        htmlPage(`P${at}`, [{ id: 'a', heading: 'A', text: `Round ${round} of ${at}.` }]),
      ]),
    );
  const formats = ['html'];
  for (let round = 0; round < 5; round += 1) {
    folder.write(many(round));
    await publish({ dir: folder.path, site: SITE, formats });
  }
  const pages = Object.entries(folder.fingerprint()).filter(([name]) => /^changes\/page-\d+\.html$/.test(name));
  expect(pages.map(([name]) => name)).toEqual(['changes/page-1.html']);
  expect(folder.read(PAGE)).toContain('<a rel="next" href="page-1.html">Older</a>');
  const whole = folder.fingerprint();
  folder.remove('changes');
  await publish({ dir: folder.path, site: SITE, formats });
  expect(folder.fingerprint()).toEqual(whole);
});

test('hostile texts stay texts, and no address of theirs becomes a link', async () => {
  using folder = temporaryFolder();
  const escaped = (text: string) => text.replace(/[&<>]/g, (one) => `&#${one.codePointAt(0)};`);
  const hostile = (round: number) =>
    Object.fromEntries(
      HOSTILE_STRINGS.map((text, at) => [
        `p${at}.html`,
        htmlPage(escaped(text), [{ id: 'a', heading: escaped(text), text: `${round} ${escaped(text)}` }]),
      ]),
    );
  for (const round of [1, 2]) {
    folder.write(hostile(round));
    await publish({ dir: folder.path, site: SITE, formats: ['html'], title: HOSTILE_STRINGS[3] ?? '' });
  }
  const page = folder.read(PAGE);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toMatch(/<(?:img|svg|iframe|b (?!class))/);
  expect([...page.matchAll(/href="([^"]*)"/g)].every(([, href = '']) => /^(?:\.\.\/|index|page-)/.test(href))).toBe(
    true,
  );
  expect(isOwnPage(Buffer.from(page))).toBe(true);
});
