import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { operate } from '../../test/support/operator.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { VERBS } from './verbs.ts';

/** Verbs that make a hub where there is none. */
const MAKING = ['serve', 'witness', 'worker', 'source add', 'source import', 'apikeys issue', 'restore'];

/** Verbs that look at a hub, or change what it holds already, with what they ask for. */
const LOOKING: Readonly<Record<string, readonly string[]>> = {
  'source list': [],
  'source rules': ['docs', '--ignore', '.ad'],
  'source pause': ['docs'],
  'source resume': ['docs'],
  'source retrust': ['docs'],
  'source remove': ['docs'],
  'source test': ['docs'],
  'source export': [],
  'apikeys list': [],
  'apikeys revoke': ['dd_live_abcd'],
  'apikeys usage': [],
  honesty: ['docs'],
  mcp: [],
  status: [],
  why: ['https://docs.example/'],
  doctor: [],
  backup: ['copy.db'],
  export: ['--to', 'copy.db'],
};

const NAMES = VERBS.flatMap((entry) =>
  'verbs' in entry
    ? entry.verbs.map(({ name, load }) => ({ name: `${entry.name} ${name}`, load }))
    : [{ name: entry.name, load: entry.load }],
);

test('every verb that takes a data folder is known to look or to make', async () => {
  const takers: string[] = [];
  for (const { name, load } of NAMES) {
    const command = new Command(name);
    (await load()).configure(command);
    if (command.options.some(({ long }) => long === '--data')) takers.push(name);
  }
  expect(takers.sort()).toEqual([...MAKING, ...Object.keys(LOOKING)].sort());
});

test.each(Object.keys(LOOKING))('%s leaves nothing in a folder without a hub, and makes none', async (name) => {
  using folder = temporaryFolder();
  const [empty, missing] = [join(folder.path, 'empty'), join(folder.path, 'missing')];
  mkdirSync(empty);
  const own = (LOOKING[name] ?? []).map((word) => (word === 'copy.db' ? join(folder.path, word) : word));
  for (const data of [empty, missing]) {
    const { code, out, err } = await operate([...name.split(' '), ...own, '--data', data]);
    expect(`${out}${err}`, `${code}`).not.toBe('');
  }
  expect(readdirSync(empty)).toEqual([]);
  expect(existsSync(missing)).toBe(false);
});
