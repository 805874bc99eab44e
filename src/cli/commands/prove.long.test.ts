import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tidings } from '../../../test/support/cli.ts';
import { htmlPage, temporaryFolder } from '../../../test/support/site.ts';

test('a receipt is proven, checked, altered and refused, by the exit codes that a user sees', async () => {
  using folder = temporaryFolder();
  const site = join(folder.path, 'site');
  folder.write({ 'site/index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text: 'It costs 20.' }]) });
  const key = join(folder.path, 'log-key.json');
  expect((await tidings('keys', 'new', '--log', '--key', key)).code).toBe(0);
  const published = await tidings('publish', site, '--site', 'https://docs.example/', '--log-key', key);
  expect(published.code, published.stderr).toBe(0);
  const vkey = join(site, '.well-known/tidings/vkey');
  const receipt = join(folder.path, 'receipt.json');

  const proven = await tidings('prove', 'https://docs.example/#a', site);
  expect(proven.code, proven.stderr).toBe(0);
  expect(proven.stderr).toContain('The newest change up to then');
  await writeFile(receipt, proven.stdout);
  const good = await tidings('verify-receipt', receipt, '--vkey', vkey);
  expect([good.code, good.stdout]).toEqual([0, expect.stringMatching(/^Proven, under the key docs\.example\//)]);
  const alone = await tidings('verify-receipt', receipt);
  expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining('checked against nothing')]);
  const json = await tidings('verify-receipt', receipt, '--vkey', vkey, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: true,
    signer: 'trusted',
    origin: 'docs.example/.well-known/tidings',
  });

  await writeFile(receipt, proven.stdout.replace('create', 'delete'));
  expect((await tidings('verify-receipt', receipt, '--vkey', vkey)).code).toBe(4);
  await writeFile(receipt, '{"a":1}');
  expect((await tidings('verify-receipt', receipt)).code).toBe(2);
  expect((await tidings('verify-receipt', join(folder.path, 'nothing.json'))).code).toBe(2);
  expect((await tidings('prove', '01ARZ3NDEKTSV4RRFFQ69G5FAV', site)).code).toBe(3);
  expect((await tidings('prove', '01ARZ3NDEKTSV4RRFFQ69G5FAV', site, '--at', '2026-01-01T00:00:00Z')).code).toBe(2);
  const c2sp = await tidings('prove', 'https://docs.example/#a', site, '--tlog-proof');
  expect(c2sp.stdout).toMatch(/^c2sp\.org\/tlog-proof@v1\nindex \d+\n/);
  expect((await readFile(vkey, 'utf8')).endsWith('\n')).toBe(true);
});
