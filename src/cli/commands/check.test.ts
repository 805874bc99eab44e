import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { draftSite, filesOf } from '../../../test/support/agent-feed-site.ts';
import { CHANGES, folderOf, shrine } from '../../../test/support/check-resourcesync-site.ts';
import { type DiffDeltaSite, makeDiffDeltaFiles, serveDiffDelta } from '../../../test/support/diffdelta-site.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { run } from '../run.ts';

const RUNS = [{ source: 'docs', pages: { a: { action: 'create' } } }] as const;

async function serveSite(): Promise<DiffDeltaSite> {
  const site = await serveDiffDelta((origin) => makeDiffDeltaFiles(RUNS, origin));
  onTestFinished(() => site[Symbol.asyncDispose]());
  return site;
}

const checkLive = (origin: string, ...more: readonly string[]) =>
  check(origin, '--spec', 'diffdelta', '--allow-private', '--fail-on', 'must', ...more);

test('a good service passes, a bad one fails when asked to, a broken one is not judged', async () => {
  const site = await serveSite();
  const good = await checkLive(site.origin);
  expect(good).toMatchObject({ code: 0, complaints: [] });
  expect(good.printed).toEqual([expect.stringMatching(/: 128 clauses of diffdelta: \d+ pass, 0 fail/)]);

  site.files.set('/diff/docs/head.json', '<html>');
  const bad = await checkLive(site.origin);
  expect(bad.code).toBe(1);
  expect(bad.printed[0]).toMatch(/^MUST {4}DD-H1 {2}http.*head\.json\n {8}seen: It is an HTML page\./);

  site.intercept = (path, response) => {
    if (path === '/diff/docs/head.json') response.writeHead(503).end();
    return path === '/diff/docs/head.json';
  };
  const broken = await checkLive(site.origin);
  expect(broken).toEqual({
    code: 3,
    printed: [expect.stringMatching(/0 fail, \d+ could not be checked/)],
    complaints: [
      `tidings: not read: the source "docs": ${site.origin}diff/docs/head.json answers with status 503.`,
      'tidings: of what was not read nothing is said. Try again later.',
    ],
  });
});

test('what was found before a server gave out is printed, and the exit code is that of a check that is not complete', async () => {
  const site = await serveSite();
  site.files.set('/diff/head.json', '<html>');
  site.intercept = (path, response) => {
    if (path === '/diff/docs/head.json') response.writeHead(429, { 'retry-after': '3600' }).end();
    return path === '/diff/docs/head.json';
  };
  const { code, printed, complaints } = await checkLive(site.origin);
  expect(code).toBe(3);
  expect(printed[0]).toMatch(/^MUST {4}DD-H1 {2}http.*\/diff\/head\.json/);
  expect(complaints[0]).toContain('status 429 and asks for a pause of 3600 s.');
});

test('the key of the environment is sent, and a broken one is refused', async () => {
  const site = await serveSite();
  const keys = new Set<unknown>();
  site.intercept = (_, response) => {
    keys.add(response.req.headers['x-diffdelta-key']);
    return false;
  };
  const args = [site.origin, '--spec', 'diffdelta', '--allow-private'];
  expect(await checkAs({ TIDINGS_DIFFDELTA_KEY: 'dd_live_x' }, ...args)).toMatchObject({ code: 0 });
  expect([...keys]).toEqual(['dd_live_x']);
  expect(await checkAs({ TIDINGS_DIFFDELTA_KEY: 'a b' }, ...args)).toMatchObject({ code: 2 });
});

test('who does not answer is not said to be asked again', async () => {
  const site = await serveSite();
  await site[Symbol.asyncDispose]();
  for (const spec of ['diffdelta', 'aicf', 'agent-feed', 'aiwebindex']) {
    const { code, complaints } = await check(site.origin, '--spec', spec, '--allow-private');
    expect(code).toBe(3);
    expect(complaints).toEqual([
      expect.stringMatching(/^tidings: .* cannot be checked: No answer .*\. Try again later\.$/),
    ]);
    expect(complaints[0]).not.toContain('next time');
  }
  const refused = await check('http://127.0.0.1:1/', '--spec', 'diffdelta');
  expect(refused.code).toBe(2);
  expect(refused.complaints).toEqual([expect.stringMatching(/\(--allow-private\) if it is yours\.$/)]);
});

test('what was left out is said', async () => {
  const site = await serveSite();
  const known = JSON.parse(site.files.get('/.well-known/diffdelta.json') ?? '');
  const ids = ['docs', ...Array.from({ length: 24 }, (_, at) => `s${at}`)];
  site.files.set('/.well-known/diffdelta.json', JSON.stringify({ ...known, sources_supported: ids }));
  const { printed } = await checkLive(site.origin);
  expect(printed).toContain('note    5 of 25 sources were left out: at most 20 are read.');
});

test('a folder with two dialects has two summaries, and as JSON one document', async () => {
  using folder = temporaryFolder();
  const files = makeDiffDeltaFiles(RUNS, 'https://docs.example/');
  files.set('/diff/docs/head.json', '{}');
  files.set('/.well-known/ai-changefeed', '{"aicf_version":"0.1","self":"https://docs.example/ai-changes.ndjson"}');
  files.set('/ai-changes.ndjson', '');
  folder.write(Object.fromEntries([...files].map(([path, text]) => [path.slice(1), text])));
  const text = await check(folder.path, '--fail-on', 'must');
  expect(text.code).toBe(1);
  expect(text.printed.filter((line) => / clauses of /.test(line))).toHaveLength(2);
  const { code, printed } = await check(folder.path, '--fail-on', 'must', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(printed.join('\n'))).toMatchObject({ spec: 'aicf', findings: [], others: [{ spec: 'diffdelta' }] });
});

test('a live site is checked for all that it offers; one part that cannot be read is said, with the exit code of that', async () => {
  const site = await serveSite();
  site.files.set('/.well-known/ai-changefeed', `{"aicf_version":"0.1","self":"${site.origin}ai-changes.ndjson"}`);
  site.files.set('/ai-changes.ndjson', '{}\n');
  const bad = await check(site.origin, '--allow-private', '--fail-on', 'must');
  expect(bad.code).toBe(1);
  expect(bad.printed.filter((line) => / clauses of (?:aicf|diffdelta): /.test(line))).toHaveLength(2);

  site.intercept = (path, response) => {
    if (path === '/.well-known/resourcesync') response.writeHead(500).end();
    return path === '/.well-known/resourcesync';
  };
  const { code, complaints } = await check(site.origin, '--allow-private', '--fail-on', 'must');
  expect(code).toBe(3);
  expect(complaints[0]).toBe(
    `tidings: not read: resourcesync: ${site.origin}.well-known/resourcesync answers with status 500.`,
  );
});

test('a signed surface is checked, and an ended one is told of', async () => {
  using folder = temporaryFolder();
  const site = draftSite();
  const write = () => folder.write(Object.fromEntries([...filesOf(site)].map(([path, text]) => [path, String(text)])));
  write();
  const good = await check(folder.path, '--spec', 'agent-feed', '--fail-on', 'should');
  expect(good).toMatchObject({ code: 0, complaints: [] });
  expect(good.printed).toEqual([expect.stringMatching(/: 232 clauses of agent-feed: \d+ pass, 0 fail/)]);

  site.feed.status = 'terminated';
  site.entries[1].title = 'New!';
  write();
  const ended = await check(folder.path, '--fail-on', 'must');
  expect(ended.code).toBe(0);
  expect(ended.printed.slice(0, 2)).toEqual([
    expect.stringMatching(/^SHOULD {2}AF-EN7 {2}.*agent-feed\.xml:\d+\n {8}seen: Its title is "New!"/),
    expect.stringMatching(/^note {4}The feed is terminated/),
  ]);
  expect((await check(folder.path, '--fail-on', 'should')).code).toBe(1);
});

test('what a document says does not pass for lines of the report', async () => {
  using folder = temporaryFolder();
  const root =
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">';
  const wild = 'x&#10;MUST    RS-S1  y&#x85;&#x9b;2J';
  folder.write({
    '.well-known/resourcesync': `${root}\n<rs:md capability="${wild}"/>\n<url><loc>${wild}</loc></url></urlset>`,
    'changes.atom': `<feed xmlns="http://www.w3.org/2005/Atom"><a xmlns="\u009b2J">\u001b[2J</feed>`,
  });
  const { printed } = await check(folder.path, '--spec', 'resourcesync');
  expect(printed.length).toBeGreaterThan(3);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  expect(printed.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(printed.join('\n')).not.toMatch(/^MUST {4}RS-S1 {2}y/m);
  const json = await check(folder.path, '--spec', 'resourcesync', '--json');
  const { findings } = JSON.parse(json.printed.join('\n'));
  for (const { where, seen, remedy } of findings) expect(where + seen + remedy).not.toMatch(/\p{Cc}/u);
});

const check = (...args: string[]) => checkAs({}, ...args);

async function checkAs(env: Record<string, string>, ...args: string[]) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const world = {
    env,
    config: { file: 'tidings.config.json', folder: '/', value: {} },
    isTerminal: false,
    version: '0.0.0',
    signal: new AbortController().signal,
    print: async (line: string) => void printed.push(line),
    complain: (line: string) => void complaints.push(line),
    status: () => {},
  };
  return { code: await run(['check', ...args], world), printed, complaints };
}

test('what no clause of the table is about counts in the summary, too', async () => {
  const files = shrine();
  const list = String(files[CHANGES]).replace('change="updated"', 'change="updated" hash="md5:xyz"');
  const site = await folderOf({ ...files, [CHANGES]: list });
  const { printed } = await check(site, '--spec', 'resourcesync');
  expect(printed[0]).toMatch(/^MUST {4}RESOURCESYNC-ENTRY /);
  expect(printed.at(-1)).toMatch(/ \d+ pass, 0 fail, .*\(--json says why\); besides the clauses 1 MUST$/);
});

test('a report comes in every form, to stdout or to files, with the same exit code', async () => {
  const site = await serveSite();
  site.files.set('/diff/docs/head.json', '<html>');
  using folder = temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  const forms = ['sarif=new/check.sarif', 'junit=check.xml', 'html=check.html', 'badge=badge.svg', 'human=check.txt'];
  const reports = forms.flatMap((form) => ['--report', form.replace('=', `=${folder.path}/`)]);
  const { code, printed } = await checkLive(site.origin, '--json', ...reports);
  expect(code).toBe(1);
  expect(JSON.parse(printed.join('\n'))).not.toHaveProperty('hints');
  const read = (name: string) => readFileSync(file(name), 'utf8');
  expect(JSON.parse(read('new/check.sarif'))).toMatchObject({
    version: '2.1.0',
    runs: [{ results: [{ ruleId: 'DD-H1' }] }],
  });
  expect(read('check.xml')).toContain('<failure message="It is an HTML page."');
  expect(read('check.html')).toContain('What to write');
  expect(read('badge.svg')).toContain('change feeds: failing');
  expect(read('check.txt')).toMatch(/^MUST {4}DD-H1/);

  const alone = await checkLive(site.origin, '--format', 'junit', '--output', file('alone.xml'));
  expect(alone).toMatchObject({ code: 1, printed: [] });
  expect(read('alone.xml')).toBe(read('check.xml'));
  const shown = await checkLive(site.origin, '--format', 'badge');
  expect(shown.printed.join('\n')).toBe(read('badge.svg').trimEnd());
});

test('hints say what to write, once for each clause, where they are asked for', async () => {
  const site = await serveSite();
  site.files.set('/diff/docs/head.json', '<html>');
  const { printed } = await checkLive(site.origin, '--fix-hints');
  expect(printed[0]).toMatch(/\n {8}hint: in \/diff\/<source>\/head\.json.*:\n {10}\{\n {12}"cursor"/);
  const [report] = (await checkLive(site.origin, '--fix-hints', '--json')).printed;
  expect(JSON.parse(report ?? '')).toMatchObject({ hints: { 'DD-H1': { where: expect.any(String) } } });
  expect((await checkLive(site.origin)).printed[0]).not.toContain('hint:');
});

test('forms that contradict each other, are unknown or cannot be written are refused', async () => {
  using folder = temporaryFolder();
  expect(await check(folder.path, '--json', '--format', 'sarif')).toMatchObject({ code: 2 });
  expect(await check(folder.path, '--report', 'pdf=x')).toMatchObject({ code: 2 });
  expect(await check(folder.path, '--report', 'sarif')).toMatchObject({ code: 2 });
  const site = await serveSite();
  writeFileSync(join(folder.path, 'file'), '');
  const refused = await checkLive(site.origin, '--format', 'html', '--output', join(folder.path, 'file/x.html'));
  expect(refused.code).toBe(3);
  expect(refused.complaints.join('\n')).toContain('cannot be written');
});
