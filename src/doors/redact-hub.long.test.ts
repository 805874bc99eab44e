import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changedPage } from '../../test/support/atom-lab.ts';
import { openShelvedHub } from '../../test/support/shelved-hub.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import { fsckHub } from './fsck-hub.ts';
import { prove } from './prove.ts';
import { redactHub } from './redact-hub.ts';
import { verifyReceiptText } from './verify-receipt.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-redact-hub-'));
afterAll(() => rm(root, { recursive: true }));
const REDACTIONS = 100;

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
  expect(filesTelling(folder, secret), 'files of the data folder that hold it').toEqual([]);
  expect(await redactHub(folder, id), 'once more').toMatchObject({ fields: [] });
  await expect(redactHub(folder, '01KJMMA2G08WBMBJW4Q4250ATR')).rejects.toThrow('No change of this log');
});

test('a hundred redactions: no file of the data folder holds one of the texts, and all proofs verify', {
  timeout: 300_000,
}, async () => {
  const folder = join(root, 'many');
  const ids: string[] = [];
  const secretOf = (at: number) => `password-correct-horse-${at}-battery`;
  const snapshotOf = (at: number, text: string) => `# Page ${at}\n\n${'A line that stays.\n'.repeat(60)}\n${text}\n`;
  {
    await using hub = await openShelvedHub({ folder });
    for (let at = 0; at < REDACTIONS; at += 1) {
      const [old, now] = [snapshotOf(at, secretOf(at)), snapshotOf(at, 'It is gone.')].map((text) => ({
        text,
        name: `sha256:${createHash('sha256').update(text).digest('hex')}`,
      }));
      if (old === undefined || now === undefined) throw new Error('There is no text.');
      const provenance = { by: 'compare', before: old.name, after: now.name };
      const draft = { ...changedPage(`p${at}`, { before: secretOf(at) }), provenance };
      const snapshots = new Map([old, now].map(({ name, text }) => [name, text]));
      const [change] = await hub.store.commit({ source: 'docs', drafts: [{ ...draft, source: 'docs' }], snapshots });
      ids.push(change?.id ?? '');
    }
    await hub.told();
  }
  expect(filesTelling(folder, secretOf(7)), 'before').toEqual(['tidings.db']);
  for (const id of ids)
    expect(await redactHub(folder, id)).toMatchObject({ id, fields: expect.arrayContaining(['before']) });
  for (let at = 0; at < REDACTIONS; at += 1) expect(filesTelling(folder, secretOf(at))).toEqual([]);
  {
    await using store = await openSqliteHubStore({ folder, readonly: true });
    for (const id of ids) {
      const { provenance } = (await store.changeById(id)) ?? {};
      expect(await store.snapshot(String(provenance?.before))).toBeUndefined();
    }
  }
  expect(await fsckHub(folder)).toMatchObject({ ok: true, findings: [] });
  for (const id of ids) {
    const { text } = await prove(id, folder);
    expect(verifyReceiptText(text, 'receipt.json')).toMatchObject({ ok: true });
  }
});

/** Files below a folder that hold the text, as it is. */
function filesTelling(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(text))
    .map(({ name }) => name);
}
