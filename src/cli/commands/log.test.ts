import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operate, watched } from '../../../test/support/operator.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';

test('one source of a hub; the limit counts what is printed', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'elsewhere');
  {
    await using store = await openSqliteHubStore({ folder: data });
    for (const source of ['a', 'b', 'a', 'b', 'a']) {
      await store.commit({ source, drafts: [{ source, action: 'update', url: `https://${source}.example/` }] });
    }
  }
  const seqs = async (...args: string[]) => {
    const { code, out } = await operate(['log', ...args, '--json']);
    return [code, ...(out === '' ? [] : out.split('\n').map((line) => (JSON.parse(line) as { seq: number }).seq))];
  };
  expect(await seqs(data, '--source', 'b')).toEqual([0, 2, 4]);
  expect(await seqs(data, '--source', 'a', '--limit', '2')).toEqual([0, 1, 3]);
  expect(await seqs(data, '--source', 'a', '--after', '1', '--limit', '1')).toEqual([0, 3]);
  expect(await seqs(data, '--limit', '2')).toEqual([0, 1, 2]);
  expect(await seqs(data, '--source', 'b', '--after', '4')).toEqual([0]);

  folder.write({ 'tidings.config.json': JSON.stringify({ data: './elsewhere' }) });
  const config = join(folder.path, 'tidings.config.json');
  expect(await seqs('--config', config, '--source', 'b')).toEqual([0, 2, 4]);
  folder.write({ 'tidings.config.json': JSON.stringify({ data: './none' }) });
  const missing = await operate(['log', '--config', config]);
  expect([missing.code, missing.err]).toEqual([3, expect.stringContaining(join(folder.path, 'none'))]);
});

test('a source that the hub does not know is no empty list', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const ids = Array.from({ length: 12 }, (_, index) => `s${String(index).padStart(2, '0')}`);
  {
    await using store = await openSqliteHubStore({ folder: data });
    await store.putSources(ids.map((id) => watched(id)));
    await store.commit({
      source: 'gone',
      drafts: [{ source: 'gone', action: 'update', url: 'https://gone.example/' }],
    });
  }
  const logOf = (source: string, ...args: string[]) => operate(['log', ...args, '--source', source]);
  const unknown = await logOf('nope', data);
  expect([unknown.code, unknown.out]).toEqual([3, '']);
  expect(unknown.err).toContain(
    `no source "nope", and no change of one. It watches ${ids.slice(0, 10).join(', ')} and 2`,
  );
  expect(await logOf('s03', data), 'watched, without a change').toEqual({ code: 0, out: '', err: '' });
  expect(await logOf('gone', data, '--after', '1'), 'not watched any more').toEqual({ code: 0, out: '', err: '' });

  const site = { id: 'new', kind: 'site', url: 'https://new.example/' };
  folder.write({ 'tidings.config.json': JSON.stringify({ data: './data', sources: [site] }) });
  const config = join(folder.path, 'tidings.config.json');
  expect(await logOf('new', '--config', config), 'in the config only').toEqual({ code: 0, out: '', err: '' });
  expect((await logOf('nope', '--config', config)).code).toBe(3);
});
