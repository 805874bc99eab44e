import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { type AnswerTarget, startTarget } from '../../../test/support/announce-target.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../../test/support/site.ts';
import { decodeFeed } from '../../doors/atom.ts';
import { publish } from '../../doors/publish.ts';
import { run } from '../run.ts';

const SITE = 'https://docs.example/';
const KEY = '7c9e2b41f0a34d5e';

async function tidings(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args, {
    env: { TIDINGS_ALLOW_PRIVATE: '1' },
    isTerminal: false,
    version: '0.0.0',
    signal: new AbortController().signal,
    print: async (line: string) => void out.push(line),
    complain: (line: string) => void err.push(line),
    status: () => {},
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function siteWith(pages: Readonly<Record<string, string>>): TestFolder {
  const site = temporaryFolder();
  onTestFinished(() => site[Symbol.dispose]());
  edit(site, pages);
  return site;
}

function edit(site: TestFolder, pages: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(pages)) {
    site.write({ [name]: htmlPage(name, [{ id: 'a', heading: 'A', text }]) });
  }
}

async function target(answer: AnswerTarget) {
  const started = await startTarget(answer);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

test('after each publish the targets are told what changed, and only that', async () => {
  const site = siteWith({ 'index.html': 'Home.', 'a.html': 'One.' });
  site.write({ [`${KEY}.txt`]: `${KEY}\n` });
  await publish({ dir: site.path, site: SITE });
  const engine = await target((_, response) => void response.writeHead(202).end());
  const hub = await target((_, response) => void response.writeHead(204).end());
  const told = () => tidings('announce', site.path, '--indexnow', engine.origin, '--key', KEY, '--websub', hub.origin);

  expect(await told()).toEqual({
    code: 0,
    out: `websub ${hub.origin}: was told of 2 feeds.\nindexnow ${engine.origin}indexnow: was told of 2 pages.`,
    err: '',
  });
  expect(JSON.parse(engine.requests[0]?.body ?? '').urlList).toEqual([`${SITE}a.html`, SITE]);
  expect(await told()).toMatchObject({ code: 0, out: expect.stringMatching(/nothing new.*\n.*nothing new/) });

  edit(site, { 'a.html': 'Two.' });
  await publish({ dir: site.path, site: SITE });
  expect(await told()).toMatchObject({ code: 0 });
  expect(JSON.parse(engine.requests.at(-1)?.body ?? '').urlList).toEqual([`${SITE}a.html`]);
  expect([engine.requests.length, hub.requests.length]).toEqual([2, 4]);

  // What is remembered may be published: it names nobody.
  expect(site.read('.well-known/tidings/announced.json')).not.toContain('127.0.0.1');
  await publish({ dir: site.path, site: SITE });
  expect(await told()).toMatchObject({ code: 0, out: expect.stringContaining('nothing new') });
});

test('one that fails is named with its reason, exit 3, and the others are told', async () => {
  const site = siteWith({ 'index.html': 'Home.' });
  await publish({ dir: site.path, site: SITE });
  const refusing = await target((_, response) => void response.writeHead(404).end('No such site.'));
  const taking = await target((_, response) => void response.writeHead(202).end());
  const hubs = ['--hub', refusing.origin, '--hub', taking.origin];
  expect(await tidings('announce', site.path, ...hubs)).toEqual({
    code: 3,
    out: `hub ${taking.origin}hub: was told of 1 page.`,
    err: `tidings: hub ${refusing.origin}hub was not told: It answers 404: No such site. Does this hub watch the site?`,
  });
  const again = await tidings('announce', site.path, ...hubs, '--json');
  expect([again.code, JSON.parse(again.out).targets.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
    3,
    ['failed', 'nothing'],
  ]);
  expect([refusing.requests.length, taking.requests.length]).toEqual([2, 1]);
});

test('a dry run says who would be told what', async () => {
  const site = siteWith({ 'index.html': 'Home.' });
  await publish({ dir: site.path, site: SITE });
  const before = site.fingerprint();
  const hub = await target((_, response) => void response.end());
  expect(await tidings('announce', site.path, '--websub', hub.origin, '--dry-run')).toEqual({
    code: 0,
    out: `websub ${hub.origin}: would be told of 2 feeds.\n  ${SITE}ai-changes.ndjson\n  ${SITE}changes.atom`,
    err: '',
  });
  expect([hub.requests, site.fingerprint()]).toEqual([[], before]);
});

test('the state may lie elsewhere; without one, without a target or with a bad key nobody is told', async () => {
  const site = siteWith({ 'index.html': 'Home.' });
  using state = temporaryFolder();
  await publish({ dir: site.path, site: SITE, state: state.path });
  const hub = await target((_, response) => void response.end());
  expect(await tidings('announce', site.path, '--hub', hub.origin)).toMatchObject({ code: 3, err: /holds no log/ });
  expect(await tidings('announce', site.path, '--hub', hub.origin, '--state', state.path)).toMatchObject({ code: 0 });
  expect(state.read('announced.json')).toContain('"announced/1"');
  state.write({ 'announced.json': '{}' });
  const broken = await tidings('announce', site.path, '--hub', hub.origin, '--state', state.path);
  expect(broken).toMatchObject({ code: 3, err: expect.stringContaining('announced.json') });
  expect(await tidings('announce', site.path, '--state', state.path)).toMatchObject({ code: 2 });
  const short = ['--indexnow', hub.origin, '--key', 'short'];
  expect(await tidings('announce', site.path, '--state', state.path, ...short)).toMatchObject({ code: 2 });
  expect(await tidings('announce', `${site.path}/none`, '--hub', hub.origin)).toMatchObject({ code: 3 });
  expect(hub.requests).toHaveLength(1);
});

clause(['WS-D1', 'WS-D2', 'WS-D4'], 'a published feed names its hub and itself', async () => {
  const site = siteWith({ 'index.html': 'Home.' });
  await publish({ dir: site.path, site: SITE, websub: 'https://hub.example/' });
  const feed = decodeFeed(site.read('changes.atom'), { url: SITE });
  expect(feed).toMatchObject({
    ok: true,
    value: { hubUrls: ['https://hub.example/'], selfUrl: `${SITE}changes.atom` },
  });
});

clause('WS-D3', 'the header rules of its feeds name the hub, and each itself once', async () => {
  const site = siteWith({ 'index.html': 'Home.' });
  await publish({ dir: site.path, site: SITE, websub: 'https://hub.example/?a=<b>' });
  const rules = site.read('_headers').split(/\n(?=\/)/);
  for (const path of ['changes.atom', 'ai-changes.ndjson']) {
    const links = rules.find((rule) => rule.startsWith(`/${path}\n`))?.match(/ {2}Link: .*/g);
    expect(links).toEqual([`  Link: <https://hub.example/?a=%3Cb%3E>; rel="hub", <${SITE}${path}>; rel="self"`]);
  }
  await publish({ dir: site.path, site: SITE, formats: ['aicf'], websub: 'no' }).then(
    () => expect.unreachable(),
    (error: Error) => expect(error.message).toContain('websub'),
  );
});
