import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changedPage } from '../../test/support/atom-lab.ts';
import { openShelvedHub } from '../../test/support/shelved-hub.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import { fsckHub } from './fsck-hub.ts';
import { redactHub } from './redact-hub.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-redact-hub-'));
afterAll(() => rm(root, { recursive: true }));

test('texts that are redacted are gone from the log of the hub with their salts, and every proof still holds', async () => {
  const folder = join(root, 'hub');
  const secret = 'password-correct-horse';
  let id = '';
  {
    await using hub = await openShelvedHub({ folder });
    await hub.commit('docs', [changedPage('a')]);
    const [change] = await hub.commit('docs', [changedPage('b', { before: secret, excerpt: 'New.' })]);
    id = change?.id ?? '';
    await hub.told();
  }
  expect(await redactHub(folder, id)).toMatchObject({ id, fields: ['before', 'excerpt', 'title'] });
  {
    await using store = await openSqliteHubStore({ folder, readonly: true });
    const change = await store.changeById(id);
    expect([change?.url, change?.before, change?.excerpt, change?.title]).toEqual([
      'https://docs.example/b',
      undefined,
      undefined,
      undefined,
    ]);
  }
  expect(await fsckHub(folder), 'a redaction is said in the log').toMatchObject({ ok: true, findings: [] });
  const telling: string[] = [];
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || file.name.startsWith('tidings.db')) continue;
    if ((await readFile(join(file.parentPath, file.name))).includes(secret)) telling.push(file.name);
  }
  expect(telling, 'files of the data folder that hold it').toEqual([]);
  expect(await redactHub(folder, id), 'once more').toMatchObject({ fields: [] });
  await expect(redactHub(folder, '01KJMMA2G08WBMBJW4Q4250ATR')).rejects.toThrow('No change of this log');
});
