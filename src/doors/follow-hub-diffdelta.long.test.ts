import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type FollowedEvent, type FollowOptions, follow } from './follow.ts';
import { startHub } from './hub.ts';

test('a follower of a real hub that slept over runs ends with what one has that did not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-follow-hub-'));
  await cp('examples/site', join(folder, 'site'), { recursive: true });
  const docs = {
    id: 'docs',
    kind: 'folder' as const,
    path: './site',
    site: 'https://docs.example/',
    intervalSeconds: 1,
  };
  const hub = await startHub(
    { port: 0, allowPrivate: true, limits: { perMinute: 100_000 }, sources: [docs] },
    { base: folder, token: 'test-token-of-the-followed-hub' },
  );
  onTestFinished(async () => {
    await hub.close();
    await rm(folder, { recursive: true, force: true });
  });
  const cursor = async () => {
    const answer = await fetch(new URL('diff/docs/head.json', hub.url));
    return ((await answer.json()) as { cursor: string | null }).cursor;
  };
  const moved = async (from: string | null) => {
    await vi.waitFor(async () => expect(await cursor()).not.toBe(from), { timeout: 60_000, interval: 50 });
  };

  await moved(null);
  const url = hub.url;
  const awake = new Map<string, string>();
  const asleep = new Map<string, string>();
  const states = { awake: join(folder, 'awake.db'), asleep: join(folder, 'asleep.db') };
  expect((await pollInto(awake, { url, state: states.awake })).length).toBeGreaterThan(0);
  await pollInto(asleep, { url, state: states.asleep });
  const page = join(folder, 'site', 'index.html');
  const html = await readFile(page, 'utf8');
  for (const text of ['First words of the news.', 'Second words of the news.', 'First words of the news.']) {
    const before = await cursor();
    await writeFile(page, html.replace('</h1>', `</h1><p>${text}</p>`));
    await moved(before);
    expect(await pollInto(awake, { url, state: states.awake })).toHaveLength(1);
  }
  const diagnostics: string[] = [];
  const onDiagnostic = ({ message }: { message: string }) => void diagnostics.push(message);
  expect(await pollInto(asleep, { url, state: states.asleep, onDiagnostic })).toHaveLength(3);
  expect(diagnostics).toEqual([]);
  expect(asleep).toEqual(awake);
  expect(await pollInto(asleep, { url, state: states.asleep })).toEqual([]);
});

test('a hub that follows a hub tells the same sections in another dialect', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-hub-of-hub-'));
  await cp('examples/site', join(folder, 'site'), { recursive: true });
  const folderOf = { path: './site', site: 'https://docs.example/', cleanUrls: true };
  const docs = { id: 'docs', kind: 'folder' as const, ...folderOf, intervalSeconds: 1 };
  const settings = { port: 0, allowPrivate: true, limits: { perMinute: 100_000 } };
  const token = 'test-token-of-two-hubs-in-a-row';
  const first = await startHub({ ...settings, data: './first', sources: [docs] }, { base: folder, token });
  const source = {
    id: 'upstream',
    kind: 'feed' as const,
    dialect: 'diffdelta' as const,
    url: first.url,
    intervalSeconds: 1,
  };
  const second = await startHub({ ...settings, data: './second', sources: [source] }, { base: folder, token });
  onTestFinished(async () => {
    await second.close();
    await first.close();
    await rm(folder, { recursive: true, force: true });
  });
  const lines = async () => {
    const text = await (await fetch(new URL('aicf/upstream.ndjson', second.url))).text();
    return text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line))) as Partial<FollowedEvent>[];
  };
  const page = join(folder, 'site', 'pricing.html');
  const url = 'https://docs.example/pricing';
  const wait = { timeout: 60_000, interval: 100 };
  await vi.waitFor(async () => expect((await lines()).map((line) => line.url)).toContain(url), wait);
  const before = (await lines()).length;
  const html = await readFile(page, 'utf8');
  const edited = html.replace('€ 19', '€ 21');
  expect(edited).not.toBe(html);
  await writeFile(page, edited);
  await vi.waitFor(async () => expect((await lines()).length).toBeGreaterThan(before), wait);
  const [told] = (await lines()).slice(before);
  const [origin] = (await (await fetch(new URL('aicf/docs.ndjson', first.url))).text()).trimEnd().split('\n').slice(-1);
  expect(told).toMatchObject({ action: 'update', url, anchor: 'tiers' });
  expect(told?.checksum, 'as the first hub has it').toBe(JSON.parse(origin ?? '').checksum);
});

async function pollInto(held: Map<string, string>, options: FollowOptions): Promise<FollowedEvent[]> {
  const events: FollowedEvent[] = [];
  const full = { ...options, once: true, allowPrivate: true, cooldownMs: 0, dialect: 'diffdelta' as const } as const;
  for await (const event of follow(full)) {
    events.push(event);
    const { action, itemId = '', checksum = '' } = event;
    if (action === 'delete') held.delete(itemId);
    else held.set(itemId, checksum);
  }
  return events;
}
