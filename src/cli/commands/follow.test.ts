import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DiffDeltaService, startDiffDeltaService } from '../../../test/support/diffdelta-service.ts';
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
  expect((await follow(['http://127.0.0.1:1/', '--dialect', 'rss'])).code).toBe(2);
  expect((await follow(['http://127.0.0.1:1/', '--source', 'a,,b'])).code).toBe(2);
});

/** The keys in requests for documents of the service since the last call. */
function keysSeen(service: DiffDeltaService): unknown[] {
  const asked = service.takeRequests().filter(({ path }) => /diffdelta|\/diff\//.test(path));
  return [...new Set(asked.map(({ headers }) => headers['x-diffdelta-key']))];
}

async function follow(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
  using cache = temporaryFolder();
  const lines: unknown[] = [];
  const said: string[] = [];
  const world = {
    print: async (line: string) => void lines.push(JSON.parse(line)),
    complain: (line: string) => void said.push(line),
    status: () => {},
    isTerminal: false,
    version: '0.0.0',
    env,
    signal: new AbortController().signal,
  };
  const code = await run(
    ['follow', ...args, '--once', '--allow-private', '--cooldown', '0', '--cache', cache.path],
    world,
  );
  return { code, lines, complaints: said.join('\n') };
}
