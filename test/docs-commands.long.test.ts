import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDocsLab } from './support/docs-lab.ts';
import { shellCommands } from './support/shell-commands.ts';

const PAGES = ['README.md', ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`)].map((page) => ({
  page,
  commands: shellCommands(readFileSync(page, 'utf8')),
}));

/** Commands of the guides that are not run here, and why. */
const NOT_RUN: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^npm /, 'installs packages: CI begins with it'],
  [/^claude /, 'a program of others'],
  [/tidings init/, 'needs the project of a generator: src/cli/commands/init.long.test.ts'],
  [/^export /, 'sets variables, which are set here'],
  [/s3:\/\//, 'needs a bucket: test/export-hosts.long.test.ts'],
  [/postgres:\/\/|^psql /, 'needs PostgreSQL: test/database-verbs.long.test.ts'],
  [/^tidings (?:serve|worker) +--data /, 'needs PostgreSQL: test/cluster.long.test.ts'],
  [/discord\.com|api\.indexnow\.org/, 'a host of others'],
  [/app\.example|sub_4vF1…/, 'needs a receiver: src/cli/commands/subscription.test.ts'],
  [/^tidings witness --key|witness\.vkey|c\.vkey/, 'needs witnesses that run: src/doors/witnesses.long.test.ts'],
  [/verify-domain docs\.example --check/, 'asks the DNS of the world: src/doors/verify-domain.long.test.ts'],
  [/--embed http/, 'needs a model: src/cli/commands/sync.long.test.ts'],
  [/redact \S+ \.\/tidings-data/, 'needs a hub at rest: src/doors/redact-hub.long.test.ts'],
  [/--data \/var\/lib\/tidings/, 'needs a hub with a public address: src/doors/export.long.test.ts'],
  [/tidings why /, 'needs an edit of that section: src/cli/commands/why.test.ts'],
  [/verify-receipt /, 'needs the key of the log: src/doors/verify-receipt.test.ts'],
  [/--previous https:\/\//, 'goes on from a live site of that name: src/doors/publish-state.long.test.ts'],
  // Last, and for all that no row above names: nothing is run here that could install, build or reach other hosts.
  [/^(?!(?:npx )?tidings |curl |sqlite3 )/, 'a program of others'],
];

/** Commands that go on until somebody stops them, with what they say once they work. */
const ENDLESS: readonly (readonly [pattern: RegExp, said: RegExp])[] = [
  [/^npx tidings serve\b/, /stops it\./],
  [/curl -N/, /^retry: \d+$/m],
  [/tidings preview /, /Ctrl-C ends/],
];

/** What is added to commands: a look alone, the answer to a question, and plain http, which only the servers here speak. */
const ADDED: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/tidings (?:follow|sync) (?!.*--(?:once|plan))/, '--once'],
  [/tidings redact /, '--yes'],
  [/tidings read /, '--insecure'],
  [/tidings publish http/, '--force'],
];

/** Verbs that ask the hub that variables name. */
const NAMES_HUB = /tidings (?:source|subscription|apikeys) /;

/** What must have happened before the commands of a page, which the page tells in words. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  'docs/guides/agent-feed.md': ['rm -r site && cp -r before site'],
  'docs/guides/provable-log.md': ["sed -i 's|</h1>|</h1><p>The password is hunter2.</p>|' site/limits.html"],
  'docs/guides/receipts-and-witnesses.md': [
    'rm -r site && cp -r before site',
    'tidings keys new --log --key log-key.json',
    'tidings publish ./site --site https://docs.example/ --log-key log-key.json',
  ],
};

/** Commands whose exit code is not 0: a feed that was terminated cannot move, and curl ends by Ctrl-C. */
const OTHER_ENDS: readonly (readonly [pattern: RegExp, code: number | null])[] = [
  [/surface migrate /, 4],
  [/curl -N /, null],
  // The server here is plain http and sends no headers of a host.
  [/check https:\/\/docs\.example\/ --fail-on/, 1],
];

const RUN = PAGES.map(({ page, commands }) => ({ page, commands: commands.filter(isRun) }));

test.each(RUN.filter(({ commands }) => commands.length > 0))('$page: each of its commands works', async (tried) => {
  await using lab = await openDocsLab(NAMES_HUB.test(tried.commands.join('\n')));
  for (const line of BEFORE[tried.page] ?? []) expect(await lab.run(line), line).toMatchObject({ code: 0 });
  const failed: string[] = [];
  for (const line of tried.commands) {
    const [, until] = ENDLESS.find(([pattern]) => pattern.test(line)) ?? [];
    const [, expected] = OTHER_ENDS.find(([pattern]) => pattern.test(line)) ?? ['', 0];
    const added = ADDED.filter(([pattern]) => pattern.test(line)).map(([, words]) => words);
    const { code, said } = await lab.run([atThisTime(line), ...added].join(' '), until);
    if (code !== expected) failed.push(`${line}\nexit ${code}\n${said}`);
  }
  expect(failed.join('\n\n')).toBe('');
});

test('every row of the tables is about a command', () => {
  const all = PAGES.flatMap(({ commands }) => commands);
  const patterns = [...NOT_RUN, ...ENDLESS, ...OTHER_ENDS].map(([pattern]) => pattern);
  expect(patterns.filter((pattern) => !all.some((command) => pattern.test(command)))).toEqual([]);
  expect(RUN.flatMap(({ commands }) => commands).length).toBeGreaterThan(50);
});

function isRun(command: string): boolean {
  return NOT_RUN.every(([pattern]) => !pattern.test(command));
}

/** A moment that a page names lies before everything that happens here. */
function atThisTime(line: string): string {
  return line.replace(/(?<=--at )\S+/, new Date().toISOString());
}
