import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tidings } from '../../../test/support/cli.ts';
import { startEmbeddingServer } from '../../../test/support/embedding-server.ts';
import { linking, pageOf, startLiveSite } from '../../../test/support/live-site.ts';
import { temporaryFolder } from '../../../test/support/site.ts';

async function openLab() {
  const site = await startLiveSite({ '/': linking('Home', 'a'), '/a': pageOf('Page a') });
  const folder = temporaryFolder();
  const mirror = join(folder.path, 'mirror');
  const common = ['--once', '--allow-private', '--cooldown', '0', '--state', join(folder.path, 'state')];
  return {
    site,
    folder: folder.path,
    fileOf: (name: string) => join(mirror, new URL(site.url).host, name),
    run: (...args: string[]) => tidings('sync', site.url, '--to', `dir:${mirror}`, ...common, ...args),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

test('a plan is printed and nothing is done; then the folder is written, and embeddings are counted', async () => {
  await using lab = await openLab();
  await using server = await startEmbeddingServer();
  const embed = ['--embed', server.url, '--price-per-million', '0.1'];
  const planned = await lab.run('--plan', '--json', ...embed);
  expect(planned.code, planned.stderr).toBe(0);
  expect(JSON.parse(planned.stdout)).toMatchObject({ upserts: 8, deletes: 0, unchanged: 0, embeddings: 8 });
  expect(JSON.parse(planned.stdout).cost).toBeGreaterThan(0);
  expect(existsSync(lab.fileOf('a.md'))).toBe(false);
  expect(server.texts).toEqual([]);
  const done = await lab.run(...embed);
  expect(done.code, done.stderr).toBe(0);
  expect(done.stdout).toContain(
    '8 sections written, 0 removed, 0 unchanged, on 2 of 2 pages; 8 chunks embedded (80 tokens',
  );
  expect(readFileSync(lab.fileOf('a.md'), 'utf8')).toContain('## Two\n\nThe second part of Page a stays.');
  expect(server.requests[0]).toMatchObject({ model: 'text-embedding-3-small' });
});

test('exit codes: 2 for what makes no sense, 3 for what could not be read or embedded, 4 for a stop', async () => {
  await using lab = await openLab();
  const unknown = await tidings('sync', lab.site.url, '--to', 'nowhere:x', '--once');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/dir:.*sqlite:.*exec:/) });
  expect(await tidings('sync', '--to', 'dir:x', '--once')).toMatchObject({ code: 2 });
  expect(await tidings('sync', 'ftp://a.example/', '--to', `dir:${lab.folder}`, '--once')).toMatchObject({ code: 2 });
  lab.site.put({ '/a': { status: 500 } });
  const unread = await lab.run();
  expect(unread, unread.stderr).toMatchObject({ code: 3, stderr: expect.stringContaining(lab.site.url) });
  lab.site.put({ '/a': pageOf('Page a') });
  await using server = await startEmbeddingServer();
  server.instead.push((response) => void response.writeHead(401).end('{"error":{"message":"no key"}}'));
  const refused = await lab.run('--embed', server.url);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('no key') });
  expect((await lab.run()).code).toBe(0);
});
