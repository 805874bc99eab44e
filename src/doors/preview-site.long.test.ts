import { symlinkSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { TEST_LOG_KEY } from '../../test/support/tlog-site.ts';
import { running } from '../../test/support/watching-verb.ts';
import { type PreviewOptions, previewSite } from './preview-site.ts';
import { publish } from './publish.ts';

const SITE = 'https://docs.example/';

const build = (text: string) => ({
  'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text: 'Welcome.' }]),
  'pricing.html': htmlPage('Pricing', [{ id: 'tiers', heading: 'Tiers', text }]),
});

async function publishedSite(): Promise<TestFolder> {
  const folder = temporaryFolder();
  folder.write(build('Ten euros.'));
  await publish({ dir: folder.path, site: SITE });
  folder.write(build('Twelve euros.'));
  return folder;
}

const open = (folder: TestFolder, options: Partial<PreviewOptions> = {}) =>
  previewSite({ dir: folder.path, port: 0, ...options });
const get = async (url: string) => await (await fetch(url)).text();

/** With a header that `fetch` does not let anybody set. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

test('it serves the feeds of the next publish, and writes nothing into the site', async () => {
  using folder = await publishedSite();
  const before = folder.fingerprint();
  const preview = await open(folder);
  expect(preview).toMatchObject({ site: SITE, report: { changes: [{ url: `${SITE}pricing.html`, anchor: 'tiers' }] } });
  expect(await get(`${preview.url}pricing.html`)).toContain('<del>Ten</del><ins>Twelve</ins>');
  expect((await get(`${preview.url}ai-changes.ndjson`)).trim().split('\n')).toHaveLength(3);
  expect(await get(`${preview.url}changes/`)).toContain('<del>Ten</del><ins>Twelve</ins>');
  expect(await get(`${preview.url}changes.atom`)).toContain('Twelve euros.');
  const { artifacts } = preview.report;
  for (const path of artifacts.filter((each) => !/(?:^|\/)\.(?!well-known)/.test(each)))
    expect((await fetch(preview.url + path)).status, path).toBe(200);
  expect(folder.fingerprint()).toEqual(before);
  await preview[Symbol.asyncDispose]();
  await expect(fetch(preview.url)).rejects.toThrow();
});

test('it answers nobody who came by another name, and no link leads out', async () => {
  using folder = await publishedSite();
  using outside = temporaryFolder();
  outside.write({ 'secret.txt': 'secret' });
  symlinkSync(join(outside.path, 'secret.txt'), join(folder.path, 'leak.txt'));
  symlinkSync(outside.path, join(folder.path, 'leaks'));
  await using preview = await open(folder);
  const { port } = new URL(preview.url);
  expect(await statusFor(preview.url, 'evil.example')).toBe(403);
  expect(await statusFor(preview.url, `evil.example:${port}`)).toBe(403);
  expect(await statusFor(preview.url, `localhost:${port}`)).toBe(200);
  for (const path of ['leak.txt', 'leaks/secret.txt']) expect((await fetch(preview.url + path)).status).toBe(404);
  expect((await fetch(preview.url, { method: 'POST' })).status).toBe(405);
});

test('without a publish before it, and without a site, it shows what there is to begin with', async () => {
  using folder = temporaryFolder();
  folder.write(build('Ten.'));
  await using preview = await open(folder);
  expect(preview.report.created).toBe(2);
  expect(await get(preview.url)).toContain('Nothing was published yet: 2 pages to begin with');
});

test('it goes on from a live site on this machine, from a state elsewhere, and beside a provable log', async () => {
  using live = await publishedSite();
  live.write(build('Ten euros.'));
  await using server = await serveFolder(live.path);
  using fresh = temporaryFolder();
  fresh.write(build('Twelve euros.'));
  await using fromLive = await open(fresh, { site: SITE, previous: server.url });
  expect(fromLive.report.changes).toMatchObject([{ anchor: 'tiers' }]);

  using state = temporaryFolder();
  using site = temporaryFolder();
  site.write(build('Ten euros.'));
  const kept = { dir: site.path, state: state.path, site: SITE };
  await publish({ ...kept, logKeyText: TEST_LOG_KEY });
  site.write(build('Twelve euros.'));
  const before = [site.fingerprint(), state.fingerprint()];
  await using fromState = await open(site, { state: state.path });
  expect(fromState.report.changes).toMatchObject([{ anchor: 'tiers' }]);
  expect([site.fingerprint(), state.fingerprint()]).toEqual(before);
});

test('what would stop a publish is shown, and stops no preview', async () => {
  using folder = temporaryFolder();
  const names = Array.from({ length: 30 }, (_, at) => `p${at}.html`);
  const page = (name: string) => htmlPage(name, [{ id: 'a', heading: 'One', text: `All about ${name}.` }]);
  folder.write(Object.fromEntries(names.map((name) => [name, page(name)])));
  await publish({ dir: folder.path, site: SITE });
  for (const name of names.slice(3)) folder.remove(name);
  await using preview = await open(folder);
  expect(preview.stop).toContain('27 of 30 pages would be deleted');
  expect(await get(`${preview.url}p0.html`)).toContain('27 of 30 pages would be deleted');
});

test('where nobody has said the public address, the verb asks for it instead of naming this machine', async () => {
  using folder = temporaryFolder();
  folder.write(build('Ten euros.'));
  const verb = running(['preview', folder.path, '--port', '0']);
  await expect.poll(() => verb.out.join('\n'), { timeout: 60_000 }).toContain('Ctrl-C ends the preview.');
  expect(verb.out.join('\n')).toContain(`To publish it: tidings publish ${folder.path} --site <public URL>`);
  verb.stop();
  expect(await verb.code).toBe(0);
});

test('the verb says where it is and what to do, moves from a port that is taken, and ends when it is told to', async () => {
  using folder = await publishedSite();
  const taken = createServer();
  // Somebody else may hold it: then it is taken as well.
  await new Promise<void>((resolve) => taken.once('error', () => resolve()).listen(4747, '127.0.0.1', () => resolve()));
  const verb = running(['preview', folder.path]);
  await expect.poll(() => verb.out.join('\n'), { timeout: 60_000 }).toContain('Ctrl-C ends the preview.');
  const said = verb.out.join('\n');
  expect(said).toContain(`update  ${SITE}pricing.html#tiers`);
  expect(said).toContain(`To publish it: tidings publish ${folder.path} --site ${SITE}`);
  const [, url = ''] = /at (http:\/\/127\.0\.0\.1:\d+\/)/.exec(said) ?? [];
  expect(url).not.toContain(':4747/');
  expect((await fetch(url)).status).toBe(200);
  verb.stop();
  expect(await verb.code).toBe(0);
  const refused = running(['preview', folder.path, '--port', '4747']);
  expect(await refused.code).not.toBe(0);
  taken.close();
});
