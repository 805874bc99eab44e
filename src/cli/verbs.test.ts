import { Command, Help } from 'commander';
import { expect, test } from 'vitest';
import type { VerbEntry } from './verb.ts';
import { VERBS } from './verbs.ts';

const ENTRIES: readonly VerbEntry[] = VERBS.flatMap((entry) => ('verbs' in entry ? entry.verbs : [entry]));

test('every name is there once', () => {
  expect(ENTRIES.length).toBeGreaterThan(30);
  for (const list of [VERBS, ...VERBS.flatMap((entry) => ('verbs' in entry ? [entry.verbs] : []))]) {
    const names = list.map(({ name }) => name);
    expect(new Set(names).size, names.join()).toBe(names.length);
  }
});

test.each(ENTRIES)('the help lists $name as it declares itself', async ({ name, args, load }) => {
  expect(`${name} [options] ${args}`.trimEnd()).toBe(await declaredTerm(name, load));
});

test('arguments that a verb does not declare are noticed', async () => {
  const verb = { example: '', configure: (command: Command) => void command.argument('<url>').option('--json'), run };
  expect(await declaredTerm('doc', async () => verb)).toBe('doc [options] <url>');
});

async function declaredTerm(name: string, load: VerbEntry['load']): Promise<string> {
  const command = new Command(name);
  (await load()).configure(command);
  return new Help().subcommandTerm(command);
}

async function run(): Promise<0> {
  return 0;
}
