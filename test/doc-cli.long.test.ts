import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { AIDocument } from '../src/codecs/aidocument/wire.ts';
import { type CliResult, tidings as tidingsProcess } from './support/cli.ts';
import { startFeedServer } from './support/feed-server.ts';
import { IS_LONG } from './support/short-or-long.ts';
import { htmlPage, temporaryFolder } from './support/site.ts';
import { tidingsCached as tidings, tidingsIn } from './support/tidings-here.ts';
import { respond, startOriginServer } from './torture/origin-server.ts';

const PAGE = htmlPage('Limits', [
  { id: 'tiers', heading: 'Tiers', text: 'There are two tiers, and they are counted.' },
]);
const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

test('a page is printed as one JSON document, from the cache the second time', async () => {
  await using server = await startFeedServer();
  using cache = temporaryFolder();
  server.put('/page', PAGE);
  const doc = (...args: string[]) =>
    tidings('doc', `${server.origin}page#tiers`, '--allow-private', '--cooldown', '0', '--cache', cache.path, ...args);

  const first = await doc();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/^\{\n {2}"schema": \{\n {4}"name": "AIDocument"/);
  const document = JSON.parse(first.stdout) as AIDocument;
  expect(document).toMatchObject({
    source: { url: `${server.origin}page`, status_code: 200, render_mode: 'static', freshness_policy: 'cache_first' },
    cache: { status: 'miss', origin_contacted: true, body_fetched: true },
    identity: { title: 'Limits' },
  });
  const asked = server.takePaths();
  expect(asked).toEqual(['/robots.txt', '/page']);

  const second = await doc('--json');
  expect(JSON.parse(second.stdout)).toEqual({
    ...document,
    cache: { status: 'hit', origin_contacted: false, body_fetched: false },
  });
  const markdown = await doc('--markdown');
  expect(markdown).toEqual({ code: 0, stdout: `${document.content.markdown.trimEnd()}\n`, stderr: '' });
  expect(server.takePaths(), 'nobody was asked').toEqual([]);

  const refreshed = JSON.parse((await doc('--refresh')).stdout) as AIDocument;
  expect(refreshed).toMatchObject({
    schema: { ref: document.schema.ref },
    source: { fetched_at: document.source.fetched_at, freshness_policy: 'force_refresh' },
    cache: { status: 'stale_revalidated', origin_contacted: true, body_fetched: false },
  });
});

test.skipIf(!IS_LONG)('several processes share one cache (at length)', async () => {
  await using server = await startFeedServer();
  using cache = temporaryFolder();
  for (const path of ['/1', '/2']) server.put(path, PAGE);
  const doc = (path: string) =>
    tidingsProcess('doc', server.origin + path, '--allow-private', '--cooldown', '0', '--cache', cache.path);
  const results = await Promise.all(['1', '2'].map(doc));
  for (const result of results) expect(result).toMatchObject({ code: 0, stderr: '' });
  for (const path of ['1', '2']) {
    const hit = await tidings('doc', server.origin + path, '--allow-private', '--cooldown', '0', '--cache', cache.path);
    expect(JSON.parse(hit.stdout).cache.status).toBe('hit');
  }
});

test('a file is read with the URL where it belongs', async () => {
  using folder = temporaryFolder();
  folder.write({ 'page.html': PAGE, 'notes.md': '# Limits\n\nEvery account has *limits*.\n' });
  const url = 'https://docs.example/limits';
  const { code, stdout, stderr } = await tidings('doc', join(folder.path, 'page.html'), '--url', url);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    source: { url, freshness_policy: 'cache_first' },
    cache: { status: 'hit', origin_contacted: false, body_fetched: false },
    identity: { title: 'Limits' },
  });
  const notes = await tidings('doc', join(folder.path, 'notes.md'), '--url', url, '--markdown');
  expect(notes).toMatchObject({ code: 0, stdout: expect.stringContaining('Every account has *limits*') });
  const piped = await run({ args: ['doc', '-', '--url', url, '--markdown'], input: PAGE });
  expect(piped).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('There are two tiers') });
});

test('--timeout ends an exchange that does not', async () => {
  await using server = await startOriginServer((socket, { path }) => {
    if (path === '/robots.txt') respond(socket, { status: 404 });
  });
  using cache = temporaryFolder();
  const args = ['--allow-private', '--cache', cache.path, '--timeout', '2'];
  const result = await tidings('doc', `${server.origin}page`, ...args);
  expect(result).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('within 2 s') });
});

test('without a folder for a cache the page is read all the same, and that is said once', async () => {
  await using server = await startFeedServer();
  server.put('/page', PAGE);
  using folder = temporaryFolder();
  await writeFile(join(folder.path, 'file'), '');
  await mkdir(join(folder.path, 'damaged'));
  for (const name of ['documents-1.db', 'crawl.db']) {
    await writeFile(join(folder.path, 'damaged', name), 'no database at all '.repeat(300));
  }
  const args = ['doc', `${server.origin}page`, '--allow-private', '--cooldown', '0'];
  const environments: Record<string, string>[] = [
    {},
    { HOME: join(folder.path, 'file') },
    { TIDINGS_CACHE: join(folder.path, 'damaged') },
  ];
  for (const { TIDINGS_CACHE: cache, ...env } of environments) {
    // The variable stands for the option, in a process whose own it is.
    const here = () => tidingsIn(env)(...args, ...(cache === undefined ? [] : ['--cache', cache]));
    const result = await (IS_LONG && cache !== undefined ? run({ args, env: { TIDINGS_CACHE: cache } }) : here());
    expect(result.code, JSON.stringify({ cache, ...env })).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ cache: { status: 'miss' } });
    expect(result.stderr).toMatch(/^tidings: .*cache/);
  }
});

interface Run {
  readonly args: readonly string[];
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** As `tidings()` does, in a world of the test's own. */
function run({ args, input = '', cwd, env = {} }: Run): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      timeout: 110_000,
      env: { PATH: process.env.PATH, ...env },
      ...(cwd !== undefined && { cwd }),
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
    child.stdin.end(input);
  });
}
