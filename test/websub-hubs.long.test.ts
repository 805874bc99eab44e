import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { AskedHub, HUB_TOKEN } from './pin/asked-hub.ts';

const WAIT = { timeout: 60_000, interval: 20 };

async function open(name: string, folder: string, settings: object) {
  const hub = await startHub(
    { port: 0, allowPrivate: true, data: `./${name}`, ...settings },
    { base: folder, token: HUB_TOKEN },
  );
  onTestFinished(() => hub.close());
  const asked = new AskedHub(hub);
  const count = async () => {
    const { changes } = (await (await asked.ask('api/v1/changes?limit=1000')).json()) as { changes: unknown[] };
    return changes.length;
  };
  return { url: hub.url, asked, count };
}

test.each([
  ['atom', 'changes.atom'],
  ['aicf', ''],
])(
  'an edit at one hub is told by another that follows its %s feed, hours before it would ask again',
  async (dialect, path) => {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-websub-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await cp('examples/site', join(folder, 'site'), { recursive: true });
    const docs = { id: 'docs', kind: 'folder', path: './site', site: 'https://docs.example/', intervalSeconds: 3600 };
    const first = await open('first', folder, { sources: [docs] });
    await vi.waitFor(async () => expect(await first.count()).toBeGreaterThan(0), WAIT);
    const up = { id: 'up', kind: 'feed', dialect, url: new URL(path, first.url).href, intervalSeconds: 6 * 3600 };
    const second = await open('second', folder, { sources: [], websubSubscriber: { enabled: true } });
    await second.asked.add(up);
    const view = async () => (await second.asked.admin('GET', '/up')).websub;
    await vi.waitFor(async () => expect(await view()).toMatchObject({ state: 'active', hub: `${first.url}hub` }), WAIT);
    const told = await second.count();

    const page = join(folder, 'site', 'pricing.html');
    const html = await readFile(page, 'utf8');
    await writeFile(page, html.replace('€ 19', '€ 21'));
    await first.asked.check('docs');
    await vi.waitFor(async () => expect(await second.count()).toBe(told + 1), WAIT);
    await vi.waitFor(async () => expect(await view()).toMatchObject({ trusted: true, misses: 0 }), WAIT);
  },
);
