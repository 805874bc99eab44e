import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openAdversaryHub, ToldHistory } from '../../test/support/adversary-hub.ts';
import { audit } from './audit.ts';
import { startHub } from './hub.ts';

const TOKEN = 'test-token-of-the-audited-hub';

test('a hub that runs is audited while it works: all its feeds, of all sources and of each', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-audit-hub-'));
  const sources = ['docs', 'blog', 'help'].map((id) => {
    return { id, kind: 'folder' as const, path: `./${id}`, site: `https://${id}.example/`, intervalSeconds: 1 };
  });
  for (const { id } of sources) await cp('examples/site', join(folder, id), { recursive: true });
  const settings = { port: 0, allowPrivate: true, limits: { perMinute: 100_000 } };
  const hub = await startHub({ ...settings, sources }, { base: folder, token: TOKEN });
  onTestFinished(async () => {
    await hub.close();
    await rm(folder, { recursive: true, force: true });
  });
  const cursor = async () =>
    (await (await fetch(new URL('diff/docs/head.json', hub.url))).json()).cursor as string | null;
  await vi.waitFor(async () => expect(await cursor()).not.toBeNull(), { timeout: 60_000, interval: 50 });

  const state = join(folder, 'state');
  const page = join(folder, 'docs', 'index.html');
  const html = await readFile(page, 'utf8');
  let size = 0;
  for (const text of ['First words.', 'Second words.', 'First words.']) {
    const before = await cursor();
    await writeFile(page, html.replace('</h1>', `</h1><p>${text}</p>`));
    await vi.waitFor(async () => expect(await cursor()).not.toBe(before), { timeout: 60_000, interval: 50 });
    const report = await audit(hub.url, { state, allowPrivate: true });
    expect(report.findings).toEqual([]);
    expect(report.unread).toEqual([]);
    expect(report.size).toBeGreaterThan(size);
    size = report.size;
  }
});

test('a source that is audited stops at a fork: nothing of it is told, and both checkpoints are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-audited-source-'));
  await using publisher = await openAdversaryHub();
  const history = new ToldHistory(publisher.url).grow(3);
  publisher.serve((path) => history.files.get(path));
  const source = {
    id: 'up',
    kind: 'feed' as const,
    dialect: 'aicf' as const,
    url: publisher.url,
    intervalSeconds: 1,
    audit: true,
  };
  const settings = { port: 0, allowPrivate: true, limits: { perMinute: 100_000 }, data: './data', sources: [source] };
  const hub = await startHub(settings, { base: folder, token: TOKEN });
  onTestFinished(async () => {
    await hub.close();
    await rm(folder, { recursive: true, force: true });
  });
  const told = async () => (await (await fetch(new URL('ai-changes.ndjson', hub.url))).text()).split('\n').length - 1;
  const seen = async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    return (await (await fetch(new URL('api/v1/sources/up', hub.url), { headers })).json()) as {
      errorMessage?: string;
    };
  };
  const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 100 });
  await eventually(async () => expect(await told()).toBe(3));
  history.grow(2);
  await eventually(async () => expect(await told()).toBe(5));

  const forked = new ToldHistory(publisher.url).grow(9, { action: 'delete' });
  publisher.serve((path) => forked.files.get(path));
  await eventually(async () =>
    expect((await seen()).errorMessage).toContain('failed its audit. The log was rewritten'),
  );
  const { errorMessage = '' } = await seen();
  const kept = /kept in (\S+)\. /.exec(errorMessage)?.[1] ?? '';
  expect((await readdir(kept)).sort()).toEqual(['consistency-proof.txt', 'held-6.checkpoint', 'served-10.checkpoint']);
  expect(kept.startsWith(join(folder, 'data', 'audit'))).toBe(true);
  expect(await told()).toBe(5);
  const page = await (await fetch(new URL('sources/up', hub.url), { headers: { accept: 'text/html' } })).text();
  expect(page).toContain('failed its audit');
});
