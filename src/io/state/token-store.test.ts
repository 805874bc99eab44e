import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { FolderError } from '../../errors/folder-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { createFileTokenStore } from './token-store.ts';

const FILE = 'verification-tokens.json';
const issuedAt = '2026-11-16T00:00:00.000Z';

test('a token is there for the next process, in a file of ours alone', async () => {
  using folder = temporaryFolder();
  const state = join(folder.path, 'deep', 'state');
  const issued = { domain: 'a.test', token: 'aa', issuedAt };
  expect(await createFileTokenStore(state).current('a.test')).toBeUndefined();
  expect(await createFileTokenStore(state).issue(issued)).toBe(true);
  expect(await createFileTokenStore(state).current('a.test')).toEqual(issued);
  expect(await createFileTokenStore(state).current('b.test')).toBeUndefined();
  expect(statSync(join(state, FILE)).mode & 0o777).toBe(0o600);
  expect(statSync(state).mode & 0o777).toBe(0o700);
  expect(readdirSync(state)).toEqual([FILE]);
});

test('a token that was ever issued is never issued again, and the old ones are not readable', async () => {
  using folder = temporaryFolder();
  const store = createFileTokenStore(folder.path);
  expect(await store.issue({ domain: 'a.test', token: 'first', issuedAt })).toBe(true);
  expect(await store.issue({ domain: 'a.test', token: 'second', issuedAt })).toBe(true);
  for (const domain of ['a.test', 'b.test']) {
    for (const token of ['first', 'second']) expect(await store.issue({ domain, token, issuedAt })).toBe(false);
  }
  expect(await store.current('a.test')).toMatchObject({ token: 'second' });
  expect(await store.current('b.test')).toBeUndefined();
  expect(folder.read(FILE)).not.toContain('first');
});

test('what a killed run left behind is written over', async () => {
  using folder = temporaryFolder();
  const store = createFileTokenStore(folder.path);
  await store.issue({ domain: 'a.test', token: 'first', issuedAt });
  writeFileSync(join(folder.path, `${FILE}.next`), '{"version":1,"curr', { mode: 0o644 });
  expect(await store.issue({ domain: 'b.test', token: 'other', issuedAt })).toBe(true);
  expect(await store.current('a.test')).toMatchObject({ token: 'first' });
  expect(statSync(join(folder.path, FILE)).mode & 0o777).toBe(0o600);
});

test('issued at the same time, none is lost', async () => {
  using folder = temporaryFolder();
  const names = Array.from({ length: 12 }, (_, index) => `d${index}.test`);
  const issuing = names.map((domain) =>
    createFileTokenStore(folder.path).issue({ domain, token: `of ${domain}`, issuedAt }),
  );
  expect(await Promise.all(issuing)).toEqual(names.map(() => true));
  for (const domain of names) {
    expect(await createFileTokenStore(folder.path).current(domain)).toMatchObject({ token: `of ${domain}` });
  }
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"version":2,"current":[],"issued":[]}',
  '{"version":1,"current":[{}],"issued":[]}',
  '{"version":1,"current":[],"issued":[1]}',
])('a file that holds %j is neither read nor overwritten', async (text) => {
  using folder = temporaryFolder();
  folder.write({ [FILE]: text });
  const store = createFileTokenStore(folder.path);
  await expect(store.current('a.test')).rejects.toThrow(StateCorruptError);
  await expect(store.issue({ domain: 'a.test', token: 'x', issuedAt })).rejects.toThrow(StateCorruptError);
  expect(folder.read(FILE)).toBe(text);
});

test('a file in place of the folder is said to be one', async () => {
  using folder = temporaryFolder();
  folder.write({ state: 'a database of follow' });
  const store = createFileTokenStore(join(folder.path, 'state'));
  await expect(store.current('a.test')).rejects.toThrow(/a file is where a folder should be/);
  await expect(store.issue({ domain: 'a.test', token: 'x', issuedAt })).rejects.toThrow(FolderError);
});
