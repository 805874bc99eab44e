import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operate } from '../../../test/support/operator.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';

const BASE = ['--base-url', 'https://hub.example/'];

test('what is missing is said, with its exit code: a place, an address, a hub', async () => {
  using folder = temporaryFolder();
  const to = ['--to', `${folder.path}/out`, '--data', `${folder.path}/data`];
  const ended = [
    await operate(['export', ...BASE]),
    await operate(['export', ...to]),
    await operate(['export', ...to, ...BASE, '--site', 'https://cdn.example/']),
    await operate(['export', ...to, ...BASE]),
  ];
  expect(ended.map(({ code, out }) => [code, out])).toEqual([
    [2, ''],
    [2, ''],
    [2, ''],
    [3, ''],
  ]);
  expect(ended.map(({ err }) => err)).toEqual([
    expect.stringContaining('--to <place>'),
    expect.stringContaining('set "baseUrl" in its settings (or TIDINGS_BASE_URL)'),
    expect.stringContaining('Set "baseUrl" in its settings to https://cdn.example/'),
    expect.stringContaining(`${folder.path}/data`),
  ]);
});

test('a hub that has told nothing yet is exported, too; a dry run writes nothing, and JSON says what was done', async () => {
  using folder = temporaryFolder();
  await (await openSqliteHubStore({ folder: `${folder.path}/data` }))[Symbol.asyncDispose]();
  const args = ['export', '--to', `${folder.path}/out`, '--data', `${folder.path}/data`, ...BASE];
  const dry = await operate([...args, '--dry-run']);
  expect([dry.code, dry.out]).toEqual([
    0,
    expect.stringMatching(/^Would write \d files, .* for https:\/\/hub\.example\/$/),
  ]);
  expect(existsSync(`${folder.path}/out`)).toBe(false);
  const json = JSON.parse((await operate([...args, '--json'])).out);
  expect(json).toMatchObject({ target: `${folder.path}/out`, site: BASE[1], documents: 2, written: 5, dryRun: false });
  expect(folder.read('out/ai-changes.ndjson')).toBe('');
  expect((await operate(args)).out).toMatch(/^Nothing is new: 2 documents at /);
});
