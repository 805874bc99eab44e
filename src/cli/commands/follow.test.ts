import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DiffDeltaService, startDiffDeltaService } from '../../../test/support/diffdelta-service.ts';
import { linking, pageOf, startLiveSite } from '../../../test/support/live-site.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { ExitCode } from '../exit-code.ts';
import { run } from '../run.ts';

const KEY = 'dd_live_0123456789abcdefghijABCDEFGHIJ01';

test('a DiffDelta service: narrowed by --source, one JSON object a line, remembered in --state', async () => {
  await using service = await startDiffDeltaService();
  using folder = temporaryFolder();
  for (const source of ['docs', 'blog', 'news']) service.run(source, { [`/${source}`]: 'one' });
  const args = [
    service.origin,
    '--dialect',
    'diffdelta',
    '--source',
    'blog, news',
    '--state',
    join(folder.path, 's.db'),
  ];
  const first = await follow(args);
  expect(first.code).toBe(ExitCode.Done);
  expect(first.lines).toMatchObject([
    { action: 'create', title: 'Page /blog', dialect: 'diffdelta' },
    { action: 'create', title: 'Page /news' },
  ]);
  expect(await follow(args)).toMatchObject({ code: ExitCode.Done, lines: [] });
});

test('a source that cannot be read: the others are printed, and the exit code says so', async () => {
  await using service = await startDiffDeltaService();
  for (const source of ['docs', 'blog']) service.run(source, { [`/${source}`]: 'one' });
  service.remove('/diff/docs/head.json');
  service.remove('/diff/docs/latest.json');
  const { code, lines, complaints } = await follow([service.origin]);
  expect(code).toBe(3);
  expect(lines).toMatchObject([{ title: 'Page /blog' }]);
  expect(complaints).toContain('/diff/docs/latest.json');
});

test('the key comes from the environment or a file that it names, and is never printed', async () => {
  await using service = await startDiffDeltaService();
  using folder = temporaryFolder();
  const file = join(folder.path, 'key');
  writeFileSync(file, `${KEY}\n`);
  service.run('docs', { '/a': 'one' });
  for (const env of [{ TIDINGS_DIFFDELTA_KEY: KEY }, { TIDINGS_DIFFDELTA_KEY_FILE: file }]) {
    service.takeRequests();
    const { code, lines, complaints } = await follow([service.origin], env);
    expect(code).toBe(ExitCode.Done);
    expect(keysSeen(service)).toEqual([KEY]);
    expect(JSON.stringify([lines, complaints])).not.toContain(KEY);
  }
  writeFileSync(file, `${KEY} ${KEY}`);
  for (const path of [file, join(folder.path, 'none')]) {
    const refused = await follow([service.origin], { TIDINGS_DIFFDELTA_KEY_FILE: path });
    expect(refused.code).toBe(2);
    expect(refused.complaints).toContain('TIDINGS_DIFFDELTA_KEY_FILE');
    expect(refused.complaints).not.toContain(KEY);
  }
});

test.each([
  ['a key with a line break', { TIDINGS_DIFFDELTA_KEY: `${KEY}\r\nx-other: 1` }],
  ['a key and a file with one', { TIDINGS_DIFFDELTA_KEY: KEY, TIDINGS_DIFFDELTA_KEY_FILE: 'key' }],
])('%s is refused before anything is asked', async (_, env) => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const { code, complaints } = await follow([service.origin], env);
  expect(code).toBe(2);
  expect(complaints).toContain('TIDINGS_DIFFDELTA_KEY');
  expect(complaints).not.toContain(KEY);
  expect(service.takeRequests()).toEqual([]);
});

test('options that make no sense are refused', async () => {
  expect((await follow(['http://127.0.0.1:1/', '--dialect', 'gopher'])).code).toBe(2);
  expect((await follow(['http://127.0.0.1:1/', '--source', 'a,,b'])).code).toBe(2);
});

test('--since something that is neither a time nor a cursor: what is accepted is said', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  for (const since of ['garbage', '2026-02-30']) {
    const { code, lines, complaints } = await follow([service.origin, '--since', since]);
    expect(code, since).toBe(2);
    expect(lines).toEqual([]);
    expect(complaints).toContain('--since takes');
  }
});

test.each([
  ['with', ['--state'], 'goes on behind what was printed'],
  ['without', [], 'begins anew'],
])('--once %s a state that is interrupted before its end says so, and is no success', async (_, option, next) => {
  await using service = await startDiffDeltaService();
  using folder = temporaryFolder();
  service.run('docs', { '/a': 'one', '/b': 'one' });
  const controller = new AbortController();
  const args = [service.origin, ...option.flatMap((name) => [name, join(folder.path, 's.db')])];
  const { signal } = controller;
  const stopped = await follow(args, {}, { signal, onLine: () => controller.abort() });
  expect(stopped.lines).toHaveLength(1);
  expect(stopped.code).toBe(ExitCode.Incomplete);
  expect(stopped.complaints).toContain(`stopped on request before all was read. The next run ${next}`);
  const after = await follow(args);
  expect(after).toMatchObject({ code: ExitCode.Done, complaints: '' });
  expect(after.lines).toHaveLength(option.length === 0 ? 2 : 1);
});

test('--exec gets each event on stdin, in order; one that it refuses is not taken, and comes again', async () => {
  await using service = await startDiffDeltaService();
  using folder = temporaryFolder();
  const [state, seen, refused] = ['s.db', 'seen', 'refused'].map((name) => join(folder.path, name));
  service.run('docs', { '/a': 'one', '/$(touch hacked)': 'two', '/c': 'three' });
  writeFileSync(refused ?? '', '');
  // The second event is refused while the file is there.
  const command = `cat >> ${seen}; echo said; test "$(wc -l < ${seen})" -lt 2 || test ! -e ${refused}`;
  const args = [service.origin, '--state', state ?? '', '--exec', command];
  const first = await follow(args);
  expect(first.code).toBe(ExitCode.Incomplete);
  expect(first.lines).toHaveLength(1);
  expect(first.complaints).toMatch(/^said\nsaid\n.*The command of --exec ended with exit code 1 for .*not taken/s);
  rmSync(refused ?? '');
  const second = await follow(args);
  expect(second.code).toBe(ExitCode.Done);
  const got = readFileSync(seen ?? '', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const all = [...first.lines, ...second.lines];
  expect(got).toEqual([all[0], all[1], ...all.slice(1)]);
  expect(all).toHaveLength(3);
});

test('a site without a feed: its pages, and a line of how far the look is; a site that is not there is no success', async () => {
  await using site = await startLiveSite({ '/': linking('Home', 'a'), '/a': pageOf('Page a') });
  const first = await follow([site.url]);
  expect(first.code).toBe(ExitCode.Done);
  expect(first.lines).toMatchObject([
    { action: 'create', dialect: 'pages' },
    { action: 'create', dialect: 'pages' },
  ]);
  expect(first.complaints).toBe('');
  expect(first.statuses).toContain(`${site.url}: 2 pages read`);
  site.put({ '/robots.txt': 'User-agent: *\nDisallow: /\n' });
  const denied = await follow([site.url]);
  expect(denied).toMatchObject({ code: ExitCode.Incomplete, lines: [] });
  expect(denied.complaints).toContain('robots.txt');
});

test('an empty --exec is refused', async () => {
  expect(await follow(['http://127.0.0.1:1/', '--exec', ' '])).toMatchObject({ code: 2 });
});

test('help names where the key comes from', async () => {
  const said: string[] = [];
  const world = { print: async (text: string) => void said.push(text), complain: () => {}, status: () => {} };
  const { signal } = new AbortController();
  expect(await run(['follow', '--help'], { ...world, isTerminal: false, version: '0.0.0', env: {}, signal })).toBe(0);
  expect(said.join('\n')).toContain('TIDINGS_DIFFDELTA_KEY_FILE');
});

/** The keys in requests for documents of the service since the last call. */
function keysSeen(service: DiffDeltaService): unknown[] {
  const asked = service.takeRequests().filter(({ path }) => /diffdelta|\/diff\//.test(path));
  return [...new Set(asked.map(({ headers }) => headers['x-diffdelta-key']))];
}

interface Stop {
  readonly signal?: AbortSignal;
  readonly onLine?: () => void;
}

async function follow(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  { signal = new AbortController().signal, onLine }: Stop = {},
) {
  using cache = temporaryFolder();
  const lines: unknown[] = [];
  const said: string[] = [];
  const statuses: string[] = [];
  const world = {
    print: async (line: string) => {
      lines.push(JSON.parse(line));
      onLine?.();
    },
    complain: (line: string) => void said.push(line),
    status: (line: string) => void statuses.push(line),
    isTerminal: false,
    version: '0.0.0',
    env,
    signal,
  };
  const code = await run(
    ['follow', ...args, '--once', '--allow-private', '--cooldown', '0', '--cache', cache.path],
    world,
  );
  return { code, lines, statuses, complaints: said.join('\n') };
}
