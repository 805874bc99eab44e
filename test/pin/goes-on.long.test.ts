import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publish } from '../../src/doors/publish.ts';
import { EXTRACTOR } from '../../src/extract/extractor-version.ts';
import { AskedHub } from './asked-hub.ts';
import { KEPT, KEPT_HUBS, LATER_MS, openKeptHub, RELEASES, recordKept, SERVED, unpackKept } from './kept-archives.ts';
import { IS_RELEASING } from './pinned.ts';
import { readTree } from './publish-history.ts';
import { openSteadyWorld, type SteadyWorld } from './steady-world.ts';

let root: string;
let world: SteadyWorld;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'tidings-pin-'));
  world = openSteadyWorld();
  if (IS_RELEASING) await recordKept(join(root, 'recorded'), world);
});

afterAll(() => {
  world.leave();
  rmSync(root, { recursive: true, force: true });
});

/** What a publish may add to and never change: the log, the feeds, what is archived, and lists that are closed. */
const GROWING = /^(?:ai-changes.*\.ndjson|\.well-known\/tidings\/(?:log|surface)\.ndjson)$/;
const FINAL = /^(?:archive\/.*|changes-\d+\.atom)$/;
const CHANGE_LIST = /^resourcesync\/(?:.*\/)?changelist-\d+\.xml$/;

const isFinal = (path: string, bytes: Uint8Array) =>
  FINAL.test(path) || (CHANGE_LIST.test(path) && /<rs:md [^>]*until=/.test(String(bytes)));

/** An open Change List is written anew when the pages are read anew, and releases after 0.1.0 put a `lastmod` into it. */
const withoutNewElements = (path: string, bytes: Uint8Array | undefined) =>
  path.includes('changelist') ? String(bytes).replace(/^ *<lastmod>.*<\/lastmod>\n/gm, '') : String(bytes);

function edit(file: string): void {
  const html = readFileSync(file, 'utf8');
  expect(html).toMatch(/<h2[^>]*>[^<]*<\/h2>\n<p>/);
  writeFileSync(file, html.replace(/(<h2[^>]*>[^<]*<\/h2>\n<p>)/, '$1An edit of today. '));
}

test.for(RELEASES)('a publish goes on from the site that %s left', async (release) => {
  const dir = join(root, `site-${release}`);
  unpackKept(release, 'site', dir);
  const { address, common } = KEPT;
  const options = { dir, site: address, ...common({ root: dir, address, at: (name) => join(dir, name) }) };
  const before = readTree(dir);
  world.enter('goes on, unchanged', LATER_MS);
  expect(await publish(options)).toMatchObject({ changes: [], created: 0, updated: 0, deleted: 0 });
  const unchanged = readTree(dir);
  for (const [path, bytes] of before) {
    const isKept = GROWING.test(path) || isFinal(path, bytes) || /\.atom$|changelist|\.html$/.test(path);
    if (isKept) expect(withoutNewElements(path, unchanged.get(path)), path).toBe(withoutNewElements(path, bytes));
  }
  const pagesOf = (tree: ReadonlyMap<string, Uint8Array>) => String(tree.get('.well-known/tidings/pages.ndjson'));
  const versionsIn = (pages: string) => new Set(pages.match(/(?<="extractor":")[^"]+/g));
  const checksumIn = (pages: string) => /"checksum":"([^"]+)"/.exec(pages)?.[1];
  expect(versionsIn(pagesOf(before))).not.toContain(EXTRACTOR);
  expect(versionsIn(pagesOf(unchanged)), 'every page was read anew').toEqual(new Set([EXTRACTOR]));
  expect(checksumIn(pagesOf(unchanged))).not.toBe(checksumIn(pagesOf(before)));

  edit(join(dir, 'index.html'));
  world.enter('goes on, edited', LATER_MS + 3600_000);
  const { changes } = await publish(options);
  expect(changes).toMatchObject([{ action: 'update', url: address, anchor: expect.any(String) }]);
  const after = readTree(dir);
  const linesIn = (tree: ReadonlyMap<string, Uint8Array>, name: RegExp) =>
    [...tree].filter(([path]) => name.test(path)).flatMap(([, bytes]) => String(bytes).match(/^.+$/gm) ?? []).length;
  for (const [path, bytes] of before) {
    const now = String(after.get(path));
    if (GROWING.test(path)) expect(now.startsWith(String(bytes)), path).toBe(true);
    if (isFinal(path, bytes)) expect(now, path).toBe(String(bytes));
  }
  for (const name of [/^ai-changes.*\.ndjson$/, /^\.well-known\/tidings\/log\.ndjson$/]) {
    expect(linesIn(after, name) - linesIn(before, name), String(name)).toBe(1);
  }
  const feedOf = (tree: ReadonlyMap<string, Uint8Array>) => JSON.parse(String(tree.get('diff/latest.json')));
  expect(feedOf(after)).toMatchObject({ changed: true, prev_cursor: feedOf(before).cursor });
});

test.for(KEPT_HUBS)('a hub goes on from the data that %s left', async (release) => {
  const place = join(root, `hub-${release}`);
  unpackKept(release, 'hub', place);
  const served = new Map(
    Object.entries(JSON.parse(readFileSync(join(place, SERVED), 'utf8')) as Record<string, string>),
  );
  world.enter('the hub goes on', LATER_MS);
  await using hub = await openKeptHub(place);
  const asked = new AskedHub(hub);
  expect(served.size).toBeGreaterThan(10);
  const renewed = new Set<string>();
  for (const [path, text] of served) {
    const now = await asked.document(path);
    const isRenewed = saysMore(now) && !saysMore(text);
    if (isRenewed) renewed.add(path);
    expect(withoutPush(now), path).toBe(isRenewed ? text.replace(TAG, '') : withoutPush(text));
  }
  for (const [path, text] of served) {
    const etag = /^etag: (.*)$/m.exec(text)?.[1];
    const isWritten = /^(?:ai|aicf|atom|changes|api|archive)/.test(path);
    if (etag !== undefined && isWritten && !renewed.has(path))
      expect((await asked.ask(path, { 'if-none-match': etag })).status, path).toBe(304);
  }
  const log = JSON.parse(served.get('api/v1/changes')?.split('\n\n')[1] ?? '');
  const newsAfter = async (id: string) => (await asked.ask(`api/v1/changes?after=${id}`)).json();
  expect(await newsAfter(log.changes[0].id)).toMatchObject({ changes: log.changes.slice(1) });

  world.enter('an unchanged folder', LATER_MS + 10_000);
  await asked.check('docs');
  expect(await newsAfter(log.next)).toMatchObject({ changes: [] });

  edit(join(place, 'docs', 'index.html'));
  world.enter('an edited folder', LATER_MS + 20_000);
  const { cursor } = (await (await asked.ask('diff/docs/head.json')).json()) as { cursor: string };
  await asked.check('docs');
  expect(await newsAfter(log.next)).toMatchObject({ changes: [{ action: 'update', url: 'https://docs.example/' }] });
  expect(await (await asked.ask('diff/docs/head.json')).json()).toMatchObject({ prev_cursor: cursor });
  const feed = served.get('ai-changes.ndjson')?.split('\n\n')[1] ?? '';
  expect((await (await asked.ask('ai-changes.ndjson')).text()).startsWith(feed)).toBe(true);
});

const HUB_LINK = /^ *<link rel="hub" .*\n/m;
const CAN_PUSH = '"webhooks_supported":true';
const TAG = /^etag: .*\n/m;

/** Whether a document says that the hub pushes, which it did not when the data was left. */
function saysMore(text: string): boolean {
  return HUB_LINK.test(text) || text.includes(CAN_PUSH);
}

/** A document as it was before; where its text says more now, without the tag that is made of that. */
function withoutPush(text: string): string {
  const former = text.replace(/^link: .*rel="hub".*\n/m, '');
  return saysMore(former)
    ? former.replace(HUB_LINK, '').replace(CAN_PUSH, '"webhooks_supported":false').replace(TAG, '')
    : former;
}
