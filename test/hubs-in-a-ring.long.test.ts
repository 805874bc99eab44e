import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type HubSettings, startHub } from '../src/doors/hub.ts';
import { HUB_HEADER } from '../src/model/hub-path.ts';
import { AskedHub, HUB_TOKEN } from './pin/asked-hub.ts';
import { shortOrLong } from './support/short-or-long.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const SETTINGS = { port: 0, allowPrivate: true, limits: { perMinute: 100_000 } };

interface SeenChange {
  readonly source: string;
  readonly action: string;
  readonly url: string;
  readonly provenance: { readonly via?: string };
}

async function startRing(dialect: string, path: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-ring-'));
  await cp('examples/site', join(folder, 'site'), { recursive: true });
  const docs = {
    id: 'docs',
    kind: 'folder' as const,
    path: './site',
    site: 'https://docs.example/',
    intervalSeconds: 3600,
  };
  const open = async (name: string, sources: readonly object[]) => {
    const hub = await startHub({ ...SETTINGS, data: `./${name}`, sources } as HubSettings, {
      base: folder,
      token: HUB_TOKEN,
    });
    onTestFinished(() => hub.close());
    const asked = new AskedHub(hub);
    const changes = async () => {
      const answer = await asked.ask('api/v1/changes?limit=1000');
      return ((await answer.json()) as { changes: SeenChange[] }).changes;
    };
    const id = (await asked.ask('healthz')).headers.get(HUB_HEADER) ?? '';
    const check = (source: string) => asked.check(source);
    return { url: hub.url, id, check, changes, add: (source: { id: string }) => asked.add(source) };
  };
  const feed = (id: string, { url }: { readonly url: string }) => {
    return { id, kind: 'feed' as const, dialect, url: new URL(path, url).href, intervalSeconds: 3600 };
  };
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const a = await open('a', [docs]);
  const b = await open('b', [feed('up', a)]);
  const c = await open('c', [feed('up', b)]);
  await a.add(feed('back', c));
  return { a, b, c, page: join(folder, 'site', 'pricing.html') };
}

const WAYS = [
  ['aicf', ''],
  ['diffdelta', 'diff/head.json'],
  ['atom', 'changes.atom'],
  ['diffdelta', ''],
] as const;

test.each(WAYS.slice(0, shortOrLong(2, WAYS.length)))(
  'three hubs in a ring by %s %s: one edit gives one event in each',
  async (dialect, path) => {
    const { a, b, c, page } = await startRing(dialect, path);
    const round = async () => {
      await a.check('docs');
      await b.check('up');
      await c.check('up');
      await a.check('back');
    };
    // Documents follow the log a moment later.
    const settle = async (most: number) => {
      await vi.waitFor(async () => {
        await round();
        expect((await c.changes()).length).toBe(most);
      }, WAIT);
      for (let times = 0; times < 3; times += 1) await round();
    };
    await vi.waitFor(async () => expect((await a.changes()).length).toBeGreaterThan(0), WAIT);
    const first = (await a.changes()).length;
    const told = dialect === 'atom' ? 1 : first;
    await settle(told);
    expect((await b.changes()).length).toBe(told);
    expect((await a.changes()).length, 'nothing comes back').toBe(first);

    const html = await readFile(page, 'utf8');
    const edited = html.replace('€ 19', '€ 21');
    expect(edited).not.toBe(html);
    await writeFile(page, edited);
    await settle(told + 1);
    expect([await a.changes(), await b.changes(), await c.changes()].map(({ length }) => length)).toEqual([
      first + 1,
      told + 1,
      told + 1,
    ]);
    const [ofA, ofB, ofC] = [await a.changes(), await b.changes(), await c.changes()].map((changes) => changes.at(-1));
    expect(ofA?.provenance?.via).toBeUndefined();
    expect(ofB?.provenance?.via).toBe(a.id);
    expect(ofC?.provenance?.via).toBe(`${a.id} ${b.id}`);
  },
  120_000,
);
