import { expect, test } from 'vitest';
import { tidings as tidingsProcess } from './support/cli.ts';
import { htmlPage, type TestFolder, temporaryFolder } from './support/site.ts';
import { serveFolder } from './support/static-server.ts';
import { tidingsCached as tidings, tidingsHere } from './support/tidings-here.ts';

const VERBS = ['publish', 'diff', 'check', 'follow', 'doc', 'verify-domain', 'log'];

const sections = (text: string) => [
  { id: 'tiers', heading: 'Tiers', text },
  { id: 'taxes', heading: 'Taxes', text: 'Prices are without taxes.' },
  { id: 'limits', heading: 'Limits', text: 'Ten requests a second.' },
];

function newSite(text = 'Two tiers.'): TestFolder {
  const folder = temporaryFolder();
  folder.write({
    'index.html': htmlPage('Home', sections('Same.')),
    'pricing.html': htmlPage('Pricing', sections(text)),
  });
  return folder;
}

test('publish, edit, publish, follow: the follower hears of the section that changed', async () => {
  using site = newSite();
  using state = temporaryFolder();
  await using server = await serveFolder(site.path);
  const publish = () => tidingsProcess('publish', site.path, '--site', server.url, '--force', '--json');
  const follow = () =>
    tidings(
      'follow',
      server.url,
      '--once',
      '--state',
      `${state.path}/f`,
      '--allow-private',
      '--content',
      '--cooldown',
      '0',
    );

  const first = await publish();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(first.stdout)).toMatchObject({
    pages: 2,
    created: 2,
    changes: [{ action: 'create' }, { action: 'create' }],
  });
  const initial = await follow();
  expect(initial).toMatchObject({ code: 0, stderr: '' });
  expect(initial.stdout.trimEnd().split('\n')).toHaveLength(2);

  site.write({ 'pricing.html': htmlPage('Pricing', sections('Three tiers.')) });
  await publish();
  const { code, stdout } = await follow();
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    action: 'update',
    url: `${server.url}pricing.html`,
    anchor: 'tiers',
    boundary: `${server.url}pricing.html#tiers`,
    dialect: 'aicf',
    source: expect.stringMatching(/^[a-z0-9_]+$/),
    markdown: expect.stringContaining('Three tiers.'),
  });
  expect(JSON.parse(stdout).markdown).not.toContain('without taxes');
  expect(await follow()).toMatchObject({ code: 0, stdout: '' });

  const log = await tidings('log', site.path, '--json');
  expect(
    log.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).seq),
  ).toEqual([1, 2, 3]);
  const followed = await tidings('log', `${state.path}/f`, '--after', '2');
  expect(followed).toMatchObject({ code: 0, stdout: expect.stringContaining('pricing.html#tiers') });
  const checked = await tidings('check', server.url, '--spec', 'aicf', '--allow-private', '--fail-on', 'must');
  expect(checked).toMatchObject({ code: 0 });
});

test('diff says what readers would see', async () => {
  using before = newSite('Two tiers.');
  using after = newSite('Three tiers.');
  const { code, stdout } = await tidings('diff', before.path, after.path);
  expect(code).toBe(0);
  expect(stdout).toBe(
    'update  https://site.example/pricing.html#tiers  (text-edit)\n0 created, 1 updated, 0 deleted, 1 unchanged\n',
  );
});

test('check finds what is wrong and fails on request only', async () => {
  using site = newSite();
  await tidings('publish', site.path, '--site', 'https://docs.example/');
  expect(await tidings('check', site.path, '--spec', 'aicf', '--fail-on', 'should')).toMatchObject({ code: 0 });
  site.write({ 'ai-changes.ndjson': site.read('ai-changes.ndjson').replace(/"time":"[^"]+"/, '"time":"yesterday"') });
  expect(await tidings('check', site.path)).toMatchObject({ code: 0, stdout: expect.stringContaining('AICF-E8') });
  const { code, stdout } = await tidings('check', site.path, '--fail-on', 'must', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout).findings).toContainEqual(expect.objectContaining({ clause: 'AICF-E8', level: 'MUST' }));
});

type Refusal = [what: string, code: number, args: string[]];
const USAGE: readonly Refusal[] = [
  ['no --site', 2, ['publish', '.']],
  ['an unknown verb', 2, ['wander']],
  ['an unknown option', 2, ['publish', '.', '--site', 'https://docs.example/', '--wander']],
  ['a plain http site', 2, ['publish', '.', '--site', 'http://docs.example/']],
  ['a site with a query', 2, ['publish', '.', '--site', 'https://docs.example/?x=1']],
  ['a rotation of nothing', 2, ['publish', '.', '--site', 'https://docs.example/', '--rotate-bytes', '0']],
  ['a log that is not there', 3, ['log', 'no-such-folder']],
  ['a check of nothing', 3, ['check', 'no-such-folder']],
];

// What is common to all ends of the process is shown by some; the others run here, without the start of one each.
test.each<[...Refusal, typeof tidings]>([
  ...USAGE.map((refusal, at): [...Refusal, typeof tidings] => [...refusal, at === 0 ? tidingsProcess : tidingsHere]),
  ['a folder that is not there', 3, ['publish', 'no-such-folder', '--site', 'https://docs.example/'], tidingsProcess],
  ['a private address', 2, ['follow', 'http://127.0.0.1:9/', '--once'], tidings],
  ['a site that does not answer', 3, ['follow', 'http://127.0.0.1:9/', '--once', '--allow-private'], tidings],
])('%s ends with exit code %i and a message', async (_, code, args, run) => {
  const result = await run(...args);
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toMatch(/\w/);
  expect(result.stderr).not.toMatch(/\n\s+at /);
});

test('an empty folder is a safety stop', async () => {
  using empty = temporaryFolder();
  const { code, stderr } = await tidingsProcess('publish', empty.path, '--site', 'https://docs.example/');
  expect(code).toBe(4);
  expect(stderr).toContain('--allow-deletes');
});

test('a file that is no page is named, and the exit code says that the run is incomplete', async () => {
  using site = newSite();
  site.write({ 'bad.html': new Uint8Array([0x3c, 0x70, 0x3e, 0xff]) });
  const { code, stdout, stderr } = await tidings('publish', site.path, '--site', 'https://docs.example/');
  expect(code).toBe(3);
  expect(stderr).toContain('bad.html');
  expect(stdout).toContain('2 pages: 2 created');
});

test('a site below a path is told where its discovery document belongs', async () => {
  using site = newSite();
  const { code, stderr } = await tidings('publish', site.path, '--site', 'https://host.example/docs/');
  expect(code).toBe(0);
  expect(stderr).toContain('followers look for https://host.example/.well-known/ai-changefeed');
});

test.each(VERBS)('%s --help shows an example', async (verb) => {
  const { code, stdout } = await tidingsHere(verb, '--help');
  expect(code).toBe(0);
  expect(stdout).toContain(`$ tidings ${verb}`);
});

test('--help names every verb and the exit codes', async () => {
  const { stdout } = await tidingsProcess('--help');
  for (const verb of VERBS) expect(stdout).toContain(verb);
  expect(stdout).toContain('Exit codes: 0 done');
});
