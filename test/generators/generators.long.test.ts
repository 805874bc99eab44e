import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { publish } from '../../src/doors/publish.ts';
import { extractPage } from '../../src/extract/extract-page.ts';
import { decodeSectionsNote } from '../../src/model/sections-note.ts';
import type { ReportedChange } from '../../src/produce/publish-report.ts';
import { type TestFolder, temporaryFolder } from '../support/site.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SITE = 'https://docs.example/';

/** What an author did, and what readers must hear of it: `page#anchor changed`, `page#anchor added`, `page title-changed` … */
interface Edit {
  readonly edit: string;
  readonly told: readonly string[];
}

const GENERATORS = readdirSync(HERE).filter((name) => existsSync(join(HERE, name, 'built/base')));

test('the sites of the generators are here', () => {
  expect(GENERATORS.length).toBeGreaterThanOrEqual(1);
});

describe.each(GENERATORS)('%s', (generator) => {
  const at = join(HERE, generator);
  const removed: Record<string, string[]> = jsonAt(join(at, 'built/removed.json'), {});
  const expected: Record<string, string[]> = jsonAt(join(at, 'expected.json'), {});
  const edits: Edit[] = jsonAt(join(at, 'edits.json'), []);
  const published = publishedBase(at);
  afterAll(async () => (await published)[Symbol.dispose]());

  const variantNames = readdirSync(join(at, 'built')).filter((name) => name !== 'base' && !name.endsWith('.json'));
  const rebuilds = variantNames.filter((name) => name !== 'edited');

  test.each(rebuilds)('%s: no page is told but those that are other ones', async (variant) => {
    using site = await laidOver(published, { folder: join(at, 'built', variant), removed: removed[variant] });
    const { changes, failed } = await publishAt(site);
    const { [variant]: wanted = [] } = expected;
    const told = changes.flatMap(toldBy).map((line) => wanted.find((page) => isAnyOf(page, line)) ?? line);
    expect([...new Set(told)].sort()).toEqual([...wanted].sort());
    expect(failed).toEqual([]);
  });

  test('edited: each edit is told under its anchor, and once, and nothing else is', async () => {
    using site = await laidOver(published, { folder: join(at, 'built/edited'), removed: removed.edited });
    const { changes } = await publishAt(site);
    expect(edits.length).toBeGreaterThanOrEqual(20);
    expect(changes.flatMap(toldBy).sort()).toEqual(edits.flatMap(({ told }) => told).sort());
    expect(changes.flatMap((change) => deadAnchors(change, site))).toEqual([]);
    expect((await publishAt(site)).changes).toEqual([]);
  });

  test('planted: a sentence more in a rebuild is seen', async () => {
    using site = await laidOver(published, { folder: join(at, 'built/rebuild'), removed: removed.rebuild });
    const [, page = '', anchor = ''] = /^(.*)#(\S+) changed$/.exec(edits.flatMap(({ told }) => told)[0] ?? '') ?? [];
    const html = site.read(fileOf(page));
    const place = headingPlace(html, anchor);
    const below = html.slice(place).replace(/<\/(?:p|li)>/, ' Or so they say.$&');
    site.write({ [fileOf(page)]: html.slice(0, place) + below });
    expect((await publishAt(site)).changes.flatMap(toldBy)).toEqual([`${page}#${anchor} changed`]);
  });
});

function jsonAt<T>(path: string, otherwise: T): T {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : otherwise;
}

async function publishAt(site: TestFolder) {
  return await publish({ dir: site.path, site: SITE, formats: ['aicf'] });
}

async function publishedBase(at: string): Promise<TestFolder> {
  const base = temporaryFolder();
  cpSync(join(at, 'built/base'), base.path, { recursive: true });
  await publishAt(base);
  return base;
}

interface Variant {
  /** What differs from the base. */
  readonly folder: string;
  /** What the base has and the variant has not. */
  readonly removed?: readonly string[] | undefined;
}

/** The published base with the files of the variant in place of its own. */
async function laidOver(published: Promise<TestFolder>, { folder, removed = [] }: Variant): Promise<TestFolder> {
  const site = temporaryFolder();
  cpSync((await published).path, site.path, { recursive: true });
  for (const path of removed) site.remove(path);
  if (existsSync(folder)) cpSync(folder, site.path, { recursive: true });
  return site;
}

/** A change in the words of `edits.json`; of a page as a whole, one for each section inside and for what no section holds. */
function toldBy({ action, url, anchor, note = '' }: ReportedChange): string[] {
  const page = url.slice(SITE.length);
  if (anchor !== undefined) return [`${page}#${anchor} ${action === 'create' ? 'added' : 'changed'}`];
  if (action !== 'update') return [`${page} ${action === 'create' ? 'new-page' : 'gone'}`];
  const { changed = [], added = [], removed = [] } = decodeSectionsNote(note) ?? {};
  const inside = Object.entries({ changed, added, removed }).flatMap(([what, anchors]) =>
    anchors.map((name) => `${page}#${name} ${what}`),
  );
  const beside = note
    .split('; ')
    .filter((reason) => /^(?:title-changed|preamble-changed|reordered|re-read)$/.test(reason));
  const told = [...inside, ...beside.map((reason) => `${page} ${reason}`)];
  return told.length > 0 ? told : [`${page} ${note}`];
}

/** Whether `page *` stands for a line: the page is a list that the theme words. */
function isAnyOf(page: string, line: string): boolean {
  return page.endsWith(' *') && /^[^ #]*/.exec(line)?.[0] === page.slice(0, -2);
}

/** The anchors of a change that no element of the page has as its id, though neither the change nor the page as it is read says so. */
function deadAnchors({ url, anchor, anchorIs, note }: ReportedChange, site: TestFolder): string[] {
  const { changed = [], added = [] } = decodeSectionsNote(note) ?? {};
  const path = url.slice(SITE.length);
  const html = site.read(fileOf(path));
  const keys = extractPage(html, url).sections.filter((section) => section.anchorIs === 'key');
  const inside = [...changed, ...added].filter((name) => keys.every((section) => section.anchor !== name));
  const named = [...(anchor === undefined || anchorIs === 'key' ? [] : [anchor]), ...inside];
  return named.filter((name) => !html.includes(` id="${name}"`)).map((name) => `${path}#${name}`);
}

/** Where the element with the id stands, else the heading that the key was made of. */
function headingPlace(html: string, anchor: string): number {
  const place = html.indexOf(` id="${anchor}"`);
  return place >= 0 ? place : html.search(new RegExp(`<h[1-6][^>]*>${anchor.replaceAll('-', '[^<]*?')}`, 'i'));
}

function fileOf(page: string): string {
  return page === '' || page.endsWith('/') ? `${page}index.html` : page;
}
