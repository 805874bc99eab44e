import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { FRESH, operate } from '../../../test/support/operator.ts';
import { htmlPage, temporaryFolder } from '../../../test/support/site.ts';
import { publish } from '../../doors/publish.ts';
import type { FolderConfig } from '../../hub/config/source-config.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';
import type { Change } from '../../model/change.ts';
import type { GivenRules } from '../../model/given-rules.ts';

const SITE = 'https://docs.example/';
const page = (tiers: string, price: string) =>
  htmlPage('Limits', [
    { id: 'id1', heading: 'Tiers', text: tiers },
    { heading: 'Prices', text: price },
    ...['Four', 'Five', 'Six'].map((heading) => ({ heading, text: `The part ${heading} stays as it is.` })),
  ]);

/** A data folder whose pages were read in several versions; `null`: the page is gone. */
async function history(...versions: readonly (string | null)[]) {
  return await ruledHistory({}, ...versions);
}

async function ruledHistory(rules: GivenRules, ...versions: readonly (string | null)[]) {
  const folder = temporaryFolder();
  folder.write({ 'site/limits.html': '', 'site/index.html': page('Home.', '0') });
  const config: FolderConfig = { id: 'docs', kind: 'folder', path: join(folder.path, 'site'), site: SITE, ...rules };
  const data = join(folder.path, 'data');
  await using lab = await openVisitLab(config);
  await using store = await openSqliteHubStore({ folder: data });
  await store.putSources([{ config, origin: 'api', addedAtMs: 0, health: FRESH }]);
  for (const version of versions) {
    if (version === null) folder.remove('site/limits.html');
    else folder.write({ 'site/limits.html': version });
    const atMs = Date.now();
    const known = (await store.lastChange())?.seq ?? 0;
    await lab.visit({ store, allowDeletes: true });
    const found = (await store.recentChanges(10)).filter(({ seq }) => seq > known).length;
    const check = { source: 'docs', atMs, tookMs: Date.now() - atMs, outcome: 'ok', changes: found, pages: 2 } as const;
    const health = { ...FRESH, changed: found > 0 };
    await store.recordChecks([{ check, health }]);
    // A change of the next version is told from this one by its time.
    while (Date.now() === atMs);
  }
  return {
    data,
    why: (target: string, ...args: string[]) => operate(['why', target, '--data', data, ...args]),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test('of a section: how it was learned, the looks around it, and its own lines', async () => {
  using at = await history(page('Two.', '19'), page('Two.', '19'), page('Three.', '19'));
  const { code, out } = await at.why(`${SITE}limits.html#id1`);
  expect(code).toBe(0);
  const [head, ...lines] = out.split('\n');
  expect(head).toBe(`update ${SITE}limits.html#id1  (text-edit)`);
  expect(out).toMatch(/^ {2}source {5}docs$/m);
  expect(out).toMatch(/^ {2}how {8}two readings of the page were compared$/m);
  expect(out).toMatch(/^ {2}before {5}the look at .*nothing had changed, of 2 pages/m);
  expect(out).toMatch(/^ {2}found by {3}the look at .*1 change, of 2 pages/m);
  expect(lines.slice(lines.findIndex((line) => line.startsWith('@@')) + 1)).toEqual([
    ' ## Tiers',
    ' ',
    '-Two.',
    '+Three.',
    ' ',
  ]);
});

test('the rules that the page was read by are shown', async () => {
  const rules = { ignore: ['.ad', '/log/**'], only: ['main'] };
  using at = await ruledHistory(rules, page('Two.', '19'), page('Three.', '19'));
  const { out } = await at.why(`${SITE}limits.html#id1`);
  expect(out).toMatch(/^ {2}extractor {2}\d+\+[0-9a-f]{12}$/m);
  expect(out).toMatch(/^ {2}rules {6}ignore \.ad, \/log\/\*\*; only main$/m);
  expect(JSON.parse((await at.why(`${SITE}limits.html#id1`, '--json')).out).changes[0].rules).toEqual(rules);
});

test('by its id, and of the page: everything that was found in that moment', async () => {
  const filled = page('Two.', '19').replace('</main>', '<h2>Seven</h2><p>Last.</p></main>');
  using at = await history(filled, filled.replace('Two.', 'Three.').replace('<p>Last.', '<p>Very last.'));
  const asked = JSON.parse((await at.why(`${SITE}limits.html`, '--json')).out);
  expect(asked.changes.map(({ boundary }: { boundary: string }) => boundary)).toEqual([
    `${SITE}limits.html#id1`,
    `${SITE}limits.html#seven`,
  ]);
  const [first, last] = asked.changes;
  expect(first.text.hunks).toMatchObject([{ lines: expect.arrayContaining(['-Two.', '+Three.']) }]);
  expect(last.text.hunks.flatMap(({ lines }: { lines: string[] }) => lines)).not.toContain('+Three.');
  const byId = JSON.parse((await at.why(last.change.id, '--json')).out);
  expect(byId.changes).toEqual([last]);
});

test('of an earlier version, the lines of a section where they can be told', async () => {
  const [first, second, third] = ['Two.', 'Three.', 'Four.'].map((tiers) => page(tiers, '19'));
  const [both, last] = [second?.replace('Six stays', 'Six moves'), third?.replace('Six stays', 'Six rests')];
  using alone = await history(first ?? '', second ?? '', third ?? '');
  const ids = async (data: string) => {
    const lines = (await operate(['log', data, '--json'])).out.split('\n');
    return lines.map((line) => JSON.parse(line) as Change).filter(({ anchor }) => anchor === 'id1');
  };
  const scopeOf = async ({ out }: { out: string }) => JSON.parse(out).changes[0].text.scope;
  const [only] = await ids(alone.data);
  expect(await scopeOf(await alone.why(only?.id ?? '', '--json'))).toBe('section');
  using among = await history(first ?? '', both ?? '', last ?? '');
  const [one] = await ids(among.data);
  expect(await scopeOf(await among.why(one?.id ?? '', '--json'))).toBe('page');
  expect((await among.why(one?.id ?? '')).out).toMatch(/cannot be told any more; of the page:\n@@/);
});

test('a new page shows its beginning, one that is gone what it was', async () => {
  using at = await history(page('Two.', '19'), null);
  expect((await at.why(SITE)).out).toMatch(/^create .*\n[\s\S]*^\+Home\.$/m);
  const gone = (await at.why(`${SITE}limits.html`)).out;
  expect(gone).toMatch(/^delete https:\/\/docs\.example\/limits\.html/);
  expect(gone).toMatch(/^-Two\.$/m);
});

test('texts that were dropped are said to be', async () => {
  using at = await history(page('Two.', '19'), page('Three.', '19'), page('Four.', '19'));
  {
    await using store = await openSqliteHubStore({ folder: at.data });
    await store.dropSnapshots(Date.now() + 1000);
  }
  expect((await at.why(`${SITE}limits.html`)).out).toMatch(/The text before is no longer kept\.$/);
});

test('of a published site, what its log knows', async () => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': page('Two.', '19') });
  await publish({ dir: folder.path, site: SITE });
  const { code, out } = await operate(['why', SITE, '--data', folder.path]);
  expect([code, out]).toEqual([0, expect.stringMatching(/^create https:[\s\S]*This log keeps no texts of pages/)]);
});

test('what is not in the log is exit 3 with what to do, and so is a place without one', async () => {
  using at = await history(page('Two.', '19'));
  for (const target of ['https://docs.example/none', '01M7H8MGPFP2CD6H6MZVRA31S2', 'nothing']) {
    const { code, err } = await at.why(target);
    expect([code, err]).toEqual([3, expect.stringMatching(/knows no change ".*tidings log shows them/)]);
  }
  expect((await operate(['why', SITE, '--data', join(at.data, 'none')])).code).toBe(3);
  expect((await operate(['why'])).code).toBe(2);
});

test('of an endpoint: what became of it, and who signed that', async () => {
  using folder = temporaryFolder();
  const endpoint = (verified: boolean) => ({
    source: 'api',
    kind: 'endpoint' as const,
    action: verified ? ('update' as const) : ('delete' as const),
    url: 'https://api.example/orders',
    title: 'orders-api 1.1 (rest)',
    summary: verified ? 'The schema of orders-api changed from 1.0 to 1.1.' : 'Its origin ended the feed.',
    note: verified ? 'schema-change' : 'terminated',
    provenance: { by: 'agent-feed', verified, ...(verified && { signer: 'did:web:api.example#key-1' }) },
  });
  const ids: string[] = [];
  {
    await using store = await openSqliteHubStore({ folder: folder.path });
    for (const verified of [true, false]) {
      const changes = await store.commit({ source: 'api', drafts: [endpoint(verified)] });
      ids.push(...changes.map(({ id }) => id));
    }
  }
  const why = async (id = '') => (await operate(['why', id, '--data', folder.path])).out;
  const signed = await why(ids[0]);
  expect(signed).toContain('  signed by  did:web:api.example#key-1; the signature was verified');
  expect(signed).toContain('The schema of orders-api changed from 1.0 to 1.1.');
  expect(await why(ids[1])).toContain('  signed by  nobody');
  const { out: log } = await operate(['log', folder.path]);
  expect(log).toMatch(/\(schema-change\) {2}\[signed by did:web:api\.example#key-1\]/);
  expect(log).toMatch(/\(terminated\) {2}\[not signed\]/);
});
