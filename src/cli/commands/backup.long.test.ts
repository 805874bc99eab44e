import { readdirSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { pageOf } from '../../../test/support/live-site.ts';
import { operate } from '../../../test/support/operator.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { startHub } from '../../doors/hub.ts';

interface Page {
  readonly changes: readonly { readonly boundary: string }[];
  readonly next: string;
}

test('a copy of a running hub is restored into a new folder; readers go on by cursor, or hear that they must not', async () => {
  using folder = temporaryFolder();
  const edit = (text: string) => folder.write({ 'site/index.html': pageOf('Home', text) });
  edit('First.');
  const source = {
    id: 'docs',
    kind: 'folder' as const,
    path: './site',
    site: 'https://docs.example/',
    intervalSeconds: 1,
  };
  const settings = (data: string) => ({ port: 0, data, allowPrivate: true, sources: [source] });
  const copy = join(folder.path, 'backup.db');
  const taken: { atBackup?: string; behindBackup?: string } = {};
  {
    await using hub = await startHub(settings('./data'), { base: folder.path, token: 'tdg_0123456789abcdef' });
    taken.atBackup = (await changesAfter(hub.url, undefined)).next;
    const { code, out } = await operate(['backup', copy, '--data', join(folder.path, 'data'), '--json']);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { file: copy, bytes: expect.any(Number), changes: 1, lastChange: taken.atBackup },
    ]);
    expect(readdirSync(folder.path).sort()).toEqual(['backup.db', 'data', 'site']);
    edit('Second.');
    taken.behindBackup = (await changesAfter(hub.url, taken.atBackup)).next;
  }

  await mkdir(join(folder.path, 'restored'));
  await cp(copy, join(folder.path, 'restored', 'tidings.db'));
  await using hub = await startHub(settings('./restored'), { base: folder.path });
  // The token is in the backup.
  expect(hub.newToken).toBeUndefined();
  const lost = await fetch(`${hub.url}api/v1/changes?after=${taken.behindBackup}`);
  expect([lost.status, await lost.json()]).toEqual([
    410,
    expect.objectContaining({ feed: `${hub.url}ai-changes.ndjson` }),
  ]);
  // The pages are in it, too: what changed since is found, and nothing else.
  const { changes } = await changesAfter(hub.url, taken.atBackup);
  expect(changes.map(({ boundary }) => boundary)).toEqual(['https://docs.example/#one']);
});

/** Asks until there is something behind the cursor. */
async function changesAfter(hub: string, cursor: string | undefined): Promise<Page> {
  const ask = async () => {
    const answer = await fetch(`${hub}api/v1/changes${cursor === undefined ? '' : `?after=${cursor}`}`);
    const page = (await answer.json()) as Page;
    expect([answer.status, page.changes.length > 0]).toEqual([200, true]);
    return page;
  };
  return await vi.waitFor(ask, { timeout: 60_000, interval: 50 });
}

test('what was written is said, with the way back; what cannot be is exit 3', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  expect((await operate(['backup', join(folder.path, 'a.db'), '--data', data])).code).toBe(3);
  const hub = await startHub({ port: 0, data });
  await hub.close();
  const written = await operate(['backup', join(folder.path, 'a.db'), '--data', data]);
  expect([written.code, written.out]).toEqual([
    0,
    expect.stringMatching(/KiB, no changes yet\.\nTo restore: stop the hub, then tidings restore/),
  ]);
  const again = await operate(['backup', join(folder.path, 'a.db'), '--data', data]);
  expect([again.code, again.err]).toEqual([3, expect.stringContaining('replaces nothing')]);
  expect((await operate(['backup', '--data', data])).code).toBe(2);
});
