import { expect, onTestFinished, test } from 'vitest';
import { announce } from '../src/doors/announce.ts';
import { startHub } from '../src/doors/hub.ts';
import { publish } from '../src/doors/publish.ts';
import { AskedHub, HUB_TOKEN } from './pin/asked-hub.ts';
import { startLiveSite } from './support/live-site.ts';
import { htmlPage, temporaryFolder } from './support/site.ts';

test('a hub that watches the site takes what is announced; one that does not says so', async () => {
  using folder = temporaryFolder();
  await using live = await startLiveSite();
  const page = htmlPage('Docs', [{ id: 'a', heading: 'A', text: 'Words.' }]);
  live.put({ '/': page });
  folder.write({ 'site/index.html': page });
  const dir = `${folder.path}/site`;
  await publish({ dir, site: live.url, force: true });
  const hub = await startHub({ port: 0, allowPrivate: true, data: './data' }, { base: folder.path, token: HUB_TOKEN });
  onTestFinished(() => hub.close());

  const tell = async () => (await announce({ dir, hubs: [hub.url], allowPrivate: true })).targets;
  expect(await tell()).toMatchObject([
    { kind: 'hub', outcome: 'failed', status: 404, reason: expect.stringContaining(`Not watched here: ${live.url}`) },
  ]);
  await new AskedHub(hub).add({ id: 'docs', kind: 'page', url: live.url } as { id: string });
  expect(await tell()).toMatchObject([{ outcome: 'told', status: 202, urls: [live.url] }]);
  expect(await tell()).toMatchObject([{ outcome: 'nothing' }]);
});
