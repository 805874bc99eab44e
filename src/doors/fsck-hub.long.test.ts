import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changedPage } from '../../test/support/atom-lab.ts';
import { openShelvedHub } from '../../test/support/shelved-hub.ts';
import { source } from '../hub/store/hub-store-fixtures.contract.ts';
import { openRawDatabase } from '../io/sqlite/database.ts';
import { fsckHub } from './fsck-hub.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-fsck-hub-'));
afterAll(() => rm(root, { recursive: true }));

const whole = join(root, 'whole');
{
  await using hub = await openShelvedHub({ folder: whole });
  for (let run = 0; run < 60; run += 1) {
    const source = run % 3 === 0 ? 'api' : 'docs';
    const page = (at: number) => changedPage(`${run}/${at}`, { before: `Old ${run}.`, excerpt: `New ${at}.` });
    await hub.commit(source, [0, 1, 2, 3, 4].map(page));
  }
  await hub.told();
}

async function altered(...statements: readonly string[]) {
  const folder = await mkdtemp(join(root, 'altered-'));
  await cp(whole, folder, { recursive: true });
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
  }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  for (const statement of statements) expect(database.prepare(statement).run().changes, statement).toBe(1);
  database.close();
  return await fsckHub(folder);
}

/** The stored checkpoint with another second line. */
function checkpointWith(size: string): string {
  const rest = `substr(checkpoint, instr(checkpoint, char(10)) + 1)`;
  return `substr(checkpoint, 1, instr(checkpoint, char(10))) || '${size}' || substr(${rest}, instr(${rest}, char(10)))`;
}

test('a hub whose data are as it left them has nothing to be found, at rest and while it runs', async () => {
  expect(await fsckHub(whole)).toMatchObject({ ok: true, findings: [] });
  const folder = await mkdtemp(join(root, 'running-'));
  await cp(whole, folder, { recursive: true });
  await using hub = await openShelvedHub({ folder });
  await hub.commit('docs', [changedPage('more')]);
  expect(await fsckHub(folder)).toMatchObject({ ok: true, findings: [] });
});

test.each([
  [
    'a title that was rewritten',
    `UPDATE changes SET body = json_set(body, '$.title', 'Other') WHERE seq = 7`,
    'another title',
  ],
  [
    'an action that was rewritten',
    `UPDATE changes SET body = json_set(body, '$.action', 'delete') WHERE seq = 7`,
    'another action',
  ],
  ['a change that was taken out', 'DELETE FROM changes WHERE seq = 7', 'is not there'],
  ['a salt that was taken out', `UPDATE hub_tlog_changes SET salts = x'' WHERE seq = 7`, 'without a salt'],
  [
    'an entry that was rewritten',
    `UPDATE hub_tlog_open_entries SET body = x'7b7d' WHERE entry = (SELECT max(entry) FROM hub_tlog_open_entries)`,
    'root hash',
  ],
  ['a bundle that was lost', 'DELETE FROM hub_tlog_bundles WHERE bundle = 0', 'Bundle 0 cannot be read'],
  [
    'a tile that was rewritten',
    'UPDATE hub_tlog_tiles SET hashes = zeroblob(8192) WHERE tile = 0 AND level = 0',
    'Tile 0 of level 0',
  ],
  ['a head that was moved', 'UPDATE hub_tlogs SET root = zeroblob(32)', 'than the head has'],
  ['a size that is no number', `UPDATE hub_tlogs SET checkpoint = ${checkpointWith('x1')}`, 'checkpoint'],
  [
    'a size that nobody could count',
    `UPDATE hub_tlogs SET checkpoint = ${checkpointWith('9'.repeat(15))}`,
    'checkpoint',
  ],
  ['an origin that is no address', `UPDATE hub_tlogs SET origin = 'a b/' || origin`, 'It began as'],
  ['another key', 'UPDATE hub_tlogs SET seed = zeroblob(32)', 'secret key'],
  [
    'an Atom entry that was rewritten',
    `UPDATE hub_atom_entries SET body = CAST('  <entry>forged</entry>\n' AS BLOB) WHERE entry = 3`,
    'other bytes',
  ],
  [
    'an archive of DiffDelta that was lost',
    'DELETE FROM hub_run_closed WHERE key = (SELECT max(key) FROM hub_run_closed)',
    'missing',
  ],
])('%s is found', async (_, statement, words) => {
  const { ok, findings } = await altered(statement);
  expect([ok, findings.map(({ what }) => what).join('\n')]).toEqual([false, expect.stringContaining(words)]);
});

test('a source that is called otherwise since its last change is no finding', async () => {
  const folder = join(root, 'renamed');
  {
    await using hub = await openShelvedHub({ folder });
    await hub.commit('docs', [changedPage('a')]);
    await hub.told();
    const named = source('docs');
    await hub.store.putSources([{ ...named, config: { ...named.config, title: 'Quite another name' } }]);
  }
  expect(await fsckHub(folder)).toMatchObject({ ok: true, findings: [] });
});
