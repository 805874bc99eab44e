import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commentText, MARKER } from '../action/comment-text.mjs';
import { type ActionRun, readAction, runAction } from './support/action-runner.ts';
import { type GitHubApi, startGitHubApi } from './support/github-api.ts';
import { htmlPage, type TestFolder, temporaryFolder } from './support/site.ts';
import { type StaticServer, serveFolder } from './support/static-server.ts';

const SITE = 'https://docs.example/';
/** Made at run time: no secret stands in a file. */
const TOKEN = `token-${process.pid}`;
const REPOSITORY = 'acme/docs';
/** Whatever a shell would run, without a quote that is left open: then it would run nothing. Git takes it as a name of a branch. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is for a shell.
const HOSTILE = '$(touch${IFS}pwned);`touch${IFS}pwned`;touch${IFS}pwned#';
const action = readAction();

let work: TestFolder;
let live: StaticServer;
let api: GitHubApi;

const repository = () => join(work.path, 'repository');
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository(), stdio: 'pipe' });

const page = (text: string) =>
  htmlPage('Pricing', [
    { id: 'tiers', heading: 'Tiers', text },
    { id: 'terms', heading: 'Terms', text: 'Cancel at any time.' },
    { id: 'faq', heading: 'Questions', text: 'Ask us.' },
  ]);

function commit(text: string, title = 'An edit'): void {
  if (existsSync(join(repository(), 'site'))) checkOut();
  work.write({ 'repository/site/pricing.html': page(text), 'repository/site/index.html': htmlPage('Home', []) });
  git('add', '-A');
  git('commit', '-qm', title);
}

/** What the runner checks out: the files of the commit and nothing that an earlier job wrote. */
function checkOut(): void {
  git('clean', '-fdxq');
}

function run(event: ActionRun['event'], inputs: Readonly<Record<string, string>> = {}) {
  checkOut();
  return runAction(action, {
    workspace: repository(),
    event,
    token: TOKEN,
    env: {
      GITHUB_API_URL: api.url,
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_HEAD_REF: event.name === 'pull_request' ? HOSTILE : '',
      GITHUB_REF_NAME: 'main',
    },
    inputs: {
      dir: 'site',
      site: SITE,
      previous: live.url,
      options: '--allow-private\n--title=Docs',
      command: join(work.path, 'tidings'),
      ...inputs,
    },
  });
}

const push: ActionRun['event'] = { name: 'push', payload: { ref: 'refs/heads/main' } };
const pullRequest: ActionRun['event'] = {
  name: 'pull_request',
  payload: { pull_request: { number: 7, title: HOSTILE, head: { ref: HOSTILE }, body: HOSTILE } },
};

/** As `deploy-pages` does: what was packed takes the place of what was live. */
function deploy(packed: string): void {
  const root = join(work.path, 'live');
  rmSync(root, { recursive: true, force: true });
  work.write({ 'live/.keep': '' });
  execFileSync('tar', ['-xf', packed, '-C', root]);
}

const pwned = () => [work.path, repository(), resolve('.')].filter((folder) => existsSync(join(folder, 'pwned')));

beforeEach(async () => {
  work = temporaryFolder();
  work.write({
    tidings: `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli/main.js')}" "$@"\n`,
    'live/.keep': '',
    'repository/.gitignore': '',
  });
  chmodSync(join(work.path, 'tidings'), 0o755);
  live = await serveFolder(join(work.path, 'live'));
  api = await startGitHubApi(TOKEN, `${REPOSITORY}#7`);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@docs.example');
});

afterEach(async () => {
  await api[Symbol.asyncDispose]();
  await live[Symbol.asyncDispose]();
  work[Symbol.dispose]();
});

test('nothing from outside stands in a script, and every action of others is one exact commit', () => {
  expect(action.runs.using).toBe('composite');
  for (const { run: script, uses, shell } of action.runs.steps) {
    expect(script ?? '').not.toContain('${{');
    if (script !== undefined)
      expect([shell, script]).toEqual([
        'bash',
        expect.stringMatching(/^node "\$GITHUB_ACTION_PATH\/action\/[a-z]+\.mjs"$/),
      ]);
    if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  }
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(action.inputs.version?.default).toBe(version);
});

test('a site is published, edited, spoken of on a pull request once, and deployed with .well-known', async () => {
  commit('A seat is 10 euros a month.');
  const first = await run(push, { upload: 'true' });
  expect(first, first.log).toMatchObject({ code: 0, ran: ['install', 'publish', 'pack', 'upload'] });
  expect(first.summary).toContain('2 changes on 2 pages.');
  expect(first.used.upload).toMatchObject({ name: 'github-pages', 'include-hidden-files': 'true' });
  deploy(first.used.upload?.path ?? '');
  expect(readdirSync(join(work.path, 'live/.well-known'))).toContain('ai-changefeed');

  git('checkout', '-qb', HOSTILE);
  commit('A seat is 12 euros a month.', HOSTILE);
  api.comments.push(
    ...Array.from({ length: 120 }, (_, at) => ({ id: at, user: { login: 'ann' }, body: `${MARKER} not ours` })),
  );
  const asked = await run(pullRequest);
  expect(asked, asked.log).toMatchObject({ code: 0, ran: ['install', 'publish', 'comment'] });
  const ours = () => api.comments.filter(({ user }) => user.login === 'github-actions[bot]');
  expect(ours()).toHaveLength(1);
  expect(ours()[0]?.body).toContain('A seat is <del>10</del><ins><b>12</b></ins> euros a month');
  expect(asked.summary).toContain('What readers would see as changed');
  // Nothing was published for it.
  expect(existsSync(join(repository(), 'site/.well-known'))).toBe(false);

  commit('A seat is 14 euros a month.', HOSTILE);
  await run(pullRequest);
  expect(ours()).toHaveLength(1);
  expect(ours()[0]?.body).toContain('<ins><b>14</b></ins>');
  expect(api.comments.filter(({ body }) => body.includes('not ours'))).toHaveLength(120);

  commit('A seat is 10 euros a month.', 'Back again');
  await run(pullRequest);
  expect(ours()[0]?.body).toContain('Nothing that readers would see.');

  git('checkout', '-q', 'main');
  commit('A seat is 14 euros a month.', HOSTILE);
  const second = await run(push, { upload: 'true' });
  expect(second.summary).toContain('<del>10</del><ins><b>14</b></ins>');
  deploy(second.used.upload?.path ?? '');
  const feed = readFileSync(join(work.path, 'live/ai-changes.ndjson'), 'utf8');
  expect(feed.trim().split('\n')).toHaveLength(3);
  expect(pwned()).toEqual([]);
});

test('a pull request is compared with a build of its base, where there is one', async () => {
  commit('A seat is 10 euros a month.');
  cpSync(join(repository(), 'site'), join(work.path, 'base'), { recursive: true });
  commit('A seat is 12 euros a month.');
  const asked = await run(pullRequest, { base: join(work.path, 'base'), previous: 'http://127.0.0.1:1/' });
  expect(asked, asked.log).toMatchObject({ code: 0 });
  expect(api.comments[0]?.body).toContain('<del>10</del><ins><b>12</b></ins>');
});

test('who may not comment writes the summary alone, and nothing new is no comment', async () => {
  commit('A seat is 10 euros a month.');
  api.isReadOnly = true;
  const fork = await run(pullRequest);
  expect(fork).toMatchObject({ code: 0 });
  expect(fork.log).toContain('::warning::This job may not comment');
  expect(fork.summary).toContain('2 changes on 2 pages.');
  api.isReadOnly = false;
  const base = join(work.path, 'same');
  cpSync(join(repository(), 'site'), base, { recursive: true });
  const quiet = await run(pullRequest, { base });
  expect(quiet.log).toContain('The comment: not needed.');
  expect(api.comments).toEqual([]);
});

test('what fails ends the job and is in its summary; nothing is packed', async () => {
  const away = await (async () => {
    commit('A seat is 10 euros a month.');
    return await run(push, { options: '', upload: 'true' });
  })();
  expect(away.code).not.toBe(0);
  expect(away.ran).toEqual(['install', 'publish']);
  expect(away.summary).toContain('### Tidings did not publish');
  expect((await run({ name: 'pull_request_target', payload: pullRequest.payload })).log).toContain(
    'not on pull_request_target',
  );
  expect((await run(push, { command: './nowhere' })).log).toContain('::error::There is no');
  expect((await run(push, { command: '', version: '^1.0.0' })).log).toContain('must be exact');
});

test.each([HOSTILE, '--force'])('an input that is %j is a value and nothing else', async (hostile) => {
  commit('A seat is 10 euros a month.');
  const inputs: readonly Readonly<Record<string, string>>[] = [
    { command: hostile },
    { command: '', version: hostile },
    { dir: hostile },
    { base: hostile },
    { site: hostile, previous: hostile },
    { 'comment-author': hostile, 'clean-urls': hostile, title: hostile },
  ];
  const runs = [];
  for (const each of inputs) runs.push(await run(pullRequest, each));
  expect(runs.map(({ code }) => code === 0)).toEqual([false, false, false, false, false, true]);
  expect(pwned()).toEqual([]);
});

test('a script that has an input in it would be caught', async () => {
  commit('A seat is 10 euros a month.');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is for the runner.
  const steps = [{ id: 'publish', shell: 'bash', run: 'echo ${{ inputs.dir }}' }];
  const given = { workspace: repository(), event: push, token: TOKEN, env: {}, inputs: { dir: HOSTILE } };
  await runAction({ ...action, runs: { ...action.runs, steps } }, given);
  expect(pwned()).toEqual([repository()]);
});

test('an exact version comes from npm, outside of the repository, and none of its scripts runs', async () => {
  commit('A seat is 10 euros a month.');
  // Somebody else's program: what it is asked for is looked at.
  work.write({ 'bin/npm': `#!/bin/sh\nprintf '%s\\n' "$@" > "${join(work.path, 'npm.txt')}"\nexit 1\n` });
  chmodSync(join(work.path, 'bin/npm'), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${join(work.path, 'bin')}:${before}`;
  try {
    const { log } = await run(push, { command: '' });
    expect(log).toContain('npm could not install tidings@');
  } finally {
    process.env.PATH = before;
  }
  const asked = work.read('npm.txt');
  expect(asked).toContain('--ignore-scripts\n');
  expect(asked).toMatch(/\ntidings@\d+\.\d+\.\d+\n$/);
});

test('a comment is never longer than GitHub takes', () => {
  expect(commentText('x'.repeat(100_000)).length).toBeLessThanOrEqual(65_536);
  expect(commentText('short')).toBe(`${MARKER}\nshort`);
});
