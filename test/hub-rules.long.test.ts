import { expect, onTestFinished, test, vi } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { startLiveSite } from './support/live-site.ts';
import { temporaryFolder } from './support/site.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };

test('rules of a hub’s source outlive a restart, and other rules are no change, though each look sees another page', async () => {
  let looks = 0;
  let limit = 'Ten a day.';
  const site = await startLiveSite({});
  const answer = (
    title: string,
  ) => `<!doctype html><title>${title}</title><main><h1 id="top">${title}</h1><p>What it is for.</p>
<h2 id="limits">Limits</h2><p>${limit}</p><h2 id="news">News</h2><p>News.<i class="stamp"> Look ${looks}.</i></p>
<div class="extra"><h2 id="extra">Extra</h2><p>It stays.</p></div></main><a href="/log/">Log</a>`;
  site.put({
    '/': (response) => {
      looks += 1;
      response.writeHead(200, { 'content-type': 'text/html' }).end(answer('Home'));
    },
    '/log/': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(answer('Log')),
  });
  const folder = temporaryFolder();
  onTestFinished(async () => {
    await site[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const started = async (rules: object) => {
    const sources = [{ id: 'docs', kind: 'site' as const, url: site.url, intervalSeconds: 1, ...rules }];
    return await startHub(
      { data: './data', port: 0, allowPrivate: true, cooldownMs: 0, sources },
      { base: folder.path },
    );
  };
  const looked = async (times: number) => {
    const wanted = looks + times;
    await vi.waitFor(() => expect(looks).toBeGreaterThanOrEqual(wanted), PATIENCE);
  };
  const told = async ({ url }: { readonly url: string }) => {
    const { changes } = (await (await fetch(new URL('api/v1/changes', url))).json()) as {
      changes: { action: string; url: string; anchor?: string }[];
    };
    return changes.map(({ action, url: page, anchor = '' }) => `${action} ${new URL(page).pathname} ${anchor}`.trim());
  };

  const first = await started({ ignore: ['.stamp', '/log/**'] });
  await vi.waitFor(async () => expect(await told(first)).toEqual(['create /']), PATIENCE);
  await looked(3);
  const page = await (
    await fetch(new URL(`doc?url=${site.url}`, first.url), { headers: { accept: 'text/markdown' } })
  ).text();
  expect(page).toContain('Ten a day.');
  expect(page).not.toContain('Look');
  expect((await fetch(new URL(`doc?url=${site.url}log/`, first.url))).status).toBe(403);
  expect(await told(first)).toEqual(['create /']);
  await first.close();

  // The page that was left out comes back, and other elements are left out.
  const second = await started({ ignore: ['.stamp', '.extra'] });
  onTestFinished(() => second.close());
  await looked(3);
  expect(await told(second)).toEqual(['create /']);
  limit = 'Twenty a day.';
  const edits = ['create /', 'update / limits', 'update /log/ limits'];
  await vi.waitFor(async () => expect((await told(second)).sort()).toEqual(edits), PATIENCE);
});
