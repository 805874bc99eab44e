import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { INIT_PROJECTS } from '../../../test/support/init-projects.ts';
import { operate } from '../../../test/support/operator.ts';
import { type TestFolder, temporaryFolder } from '../../../test/support/site.ts';
import type { SetupStep } from '../../doors/init.ts';
import { settingsOf } from '../../doors/settings.ts';
import { run } from '../run.ts';

const SITE = 'https://docs.tidings.example/';

interface Report {
  readonly steps: readonly SetupStep[];
}

/** `tidings init` of a folder, with its report. */
async function init(folder: TestFolder, options: readonly string[] = []) {
  const { code, out, err } = await operate(['init', folder.path, ...options, '--json']);
  const report: Report = out === '' ? { steps: [] } : JSON.parse(out);
  const made = report.steps.flatMap((step) => (step.is === 'write' || step.is === 'key' ? [step.path] : []));
  const added = report.steps.flatMap((step) => (step.is === 'add' ? [step] : []));
  return { code, err, report, made, added };
}

test.each(INIT_PROJECTS)(
  '$name is set up: nothing of it changes, and a second time nothing is made',
  async (project) => {
    using folder = temporaryFolder();
    folder.write(project.files);
    const before = folder.fingerprint();

    const planned = await init(folder, [...(project.options ?? []), '--dry-run']);
    expect(folder.fingerprint(), 'a dry run writes nothing').toEqual(before);
    expect(planned.report).toMatchObject({ dryRun: true, steps: planned.report.steps });

    const { code, err, report, made, added } = await init(folder, project.options);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(report).toMatchObject(project.sees);
    expect(report.steps, 'a dry run tells what is done').toEqual(planned.report.steps);
    expect(made.toSorted()).toEqual(Object.keys(project.makes).toSorted());
    for (const [path, text] of Object.entries(project.makes)) expect(folder.read(path), path).toContain(text);
    expect(new Set(added.map(({ path }) => path))).toEqual(new Set(Object.keys(project.says)));
    for (const [path, line] of Object.entries(project.says)) {
      expect(
        added
          .filter((step) => step.path === path)
          .map(({ lines }) => lines)
          .join('\n'),
        path,
      ).toContain(line);
    }
    const after = folder.fingerprint();
    expect(after).toMatchObject(before);
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length + made.length);

    const again = await init(folder, project.options);
    expect(again).toMatchObject({ code: 0, err: '', made: [] });
    expect(folder.fingerprint()).toEqual(after);
  },
);

test('what it writes is read by those that it is for: settings by us, workflows as YAML', async () => {
  using folder = temporaryFolder();
  folder.write(INIT_PROJECTS.find(({ name }) => name.startsWith('Jekyll'))?.files ?? {});
  folder.remove('tidings.config.json');
  await init(folder, ['--key']);
  const settings: unknown = JSON.parse(folder.read('tidings.config.json'));
  expect(settingsOf(settings, { base: folder.path })).toEqual({ site: 'https://tidings.example/blog/' });
  const { jobs } = parse(folder.read('.github/workflows/pages.yml'));
  expect(jobs.publish.steps).toMatchObject([
    { uses: 'actions/checkout@v4' },
    { uses: 'ruby/setup-ruby@v1' },
    { run: 'bundle exec jekyll build' },
    {
      uses: 'tidings/tidings@v0.0.0',
      with: { dir: '_site', site: 'https://tidings.example/blog/' },
      env: { TIDINGS_LOG_KEY: expect.stringContaining('secrets.TIDINGS_LOG_KEY') },
    },
    { uses: 'actions/upload-pages-artifact@v5', with: { path: '_site', 'include-hidden-files': true } },
    { uses: 'actions/deploy-pages@v4' },
  ]);
  const { inputs } = parse(readFileSync(new URL('../../../action.yml', import.meta.url), 'utf8'));
  for (const { uses, with: given } of jobs.publish.steps)
    if (uses?.startsWith('tidings/')) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  const gitlab = temporaryFolder();
  onTestFinished(() => gitlab[Symbol.dispose]());
  gitlab.write({ 'package.json': '{"scripts":{"build":"x"}}', 'pnpm-lock.yaml': '' });
  await init(gitlab, ['--ci', 'gitlab', '--dir', 'dist', '--site', SITE]);
  expect(parse(gitlab.read('.gitlab-ci.yml')).pages).toMatchObject({
    script: [
      'corepack enable',
      'pnpm install --frozen-lockfile',
      'pnpm run build',
      `npx tidings publish dist --previous ${SITE}`,
      'rm -rf public && mv dist public',
    ],
    artifacts: { paths: ['public'] },
  });
});

test('a dry run shows each file as a diff does', async () => {
  using folder = temporaryFolder();
  folder.write({ 'mkdocs.yml': `site_url: ${SITE}\n` });
  const { out } = await operate(['init', folder.path, '--dry-run', '--key']);
  expect(out).toBe(`Seen: MkDocs (mkdocs.yml), builds into site, site ${SITE} (mkdocs.yml), no host, no CI.
--- /dev/null
+++ tidings.config.json
+{
+  "site": "${SITE}",
+  "logKey": "./.tidings/log-key.json"
+}
After each build, and before it is uploaded, run:
    npx --yes tidings@0.0.0 publish site --previous ${SITE}
--- /dev/null
+++ .tidings/.gitignore
+*
--- /dev/null
+++ .tidings/log-key.json
+(a new secret key, mode 0600)
Keep a copy of .tidings/log-key.json in a safe place: a log ends with its key.
Dry run: nothing was written.`);
  expect(Object.keys(folder.fingerprint())).toEqual(['mkdocs.yml']);
});

test('a key is for its owner alone, lies where git does not look, and is never written over', async () => {
  using folder = temporaryFolder();
  folder.write({ 'mkdocs.yml': `site_url: ${SITE}\n` });
  const { code, made } = await init(folder, ['--key']);
  expect({ code, made }).toEqual({
    code: 0,
    made: ['tidings.config.json', '.tidings/.gitignore', '.tidings/log-key.json'],
  });
  const key = join(folder.path, '.tidings/log-key.json');
  if (process.platform !== 'win32') expect(statSync(key).mode & 0o777).toBe(0o600);
  expect(folder.read('.tidings/.gitignore')).toBe('*\n');
  const before = readFileSync(key, 'utf8');
  expect(await init(folder, ['--key'])).toMatchObject({ code: 0, made: [] });
  expect(readFileSync(key, 'utf8')).toBe(before);
});

test('a plugin is told where the key is: in a file here, in a variable elsewhere', async () => {
  using folder = temporaryFolder();
  folder.write({ 'package.json': '{"devDependencies":{"@11ty/eleventy":"3"}}' });
  await init(folder, ['--key', '--site', SITE]);
  expect(folder.read('eleventy.config.mjs')).toContain(`{ site: '${SITE}', logKey: './.tidings/log-key.json' }`);
  folder.remove('eleventy.config.mjs');
  await init(folder, ['--key', '--site', SITE, '--host', 'netlify']);
  expect(folder.read('eleventy.config.mjs')).toContain('logKeyText: process.env.TIDINGS_LOG_KEY }');
});

test('no key is made in a folder that git looks at, nor in one that is served', async () => {
  using folder = temporaryFolder();
  folder.write({ 'mkdocs.yml': `site_url: ${SITE}\n`, '.tidings/.gitignore': '# nothing yet\n' });
  const { code, made, added } = await init(folder, ['--key']);
  expect({ code, made }).toEqual({ code: 0, made: ['tidings.config.json'] });
  expect(added).toMatchObject([{ path: '.tidings/.gitignore', lines: '*' }]);
  for (const dir of ['.', '.tidings/site']) {
    const { code: refused, err } = await operate(['init', folder.path, '--key', '--dir', dir]);
    expect({ refused, err }).toMatchObject({ refused: 2, err: expect.stringContaining('would be public') });
  }
});

test.each([
  ['no address', { 'mkdocs.yml': 'site_name: Docs\n' }, [], '--site https://'],
  ['the address of an example', { 'hugo.toml': "baseURL = 'https://example.org/'\n" }, [], 'it is an example'],
  ['plain http', { 'hugo.toml': "baseURL = 'http://docs.tidings.example/'\n" }, [], 'not https'],
  ['no generator', { 'readme.md': '' }, ['--site', SITE], '--dir'],
  ['two generators', { 'mkdocs.yml': '', 'hugo.toml': 'baseURL = ""\n' }, ['--site', SITE], '--generator'],
  ['two hosts', { 'mkdocs.yml': '', 'netlify.toml': '', 'vercel.json': '{}' }, ['--site', SITE], '--host'],
  ['a built folder with a command in it', { 'mkdocs.yml': 'site_dir: a;b\n' }, ['--site', SITE], '--dir'],
  ['a built folder elsewhere', { 'mkdocs.yml': 'site_dir: ../site\n' }, ['--site', SITE], '--dir'],
  ['an address with a command in it', { 'mkdocs.yml': '' }, ['--site', 'https://a.example/$(b)/'], '--site'],
])('%s: it says which option to give, and writes nothing', async (_, files, options, says) => {
  using folder = temporaryFolder();
  folder.write(files as Record<string, string>);
  const before = folder.fingerprint();
  const { code, err } = await operate(['init', folder.path, ...options]);
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(says) });
  expect(folder.fingerprint()).toEqual(before);
});

test('a person at a terminal is asked for what cannot be seen', async () => {
  using folder = temporaryFolder();
  folder.write({ 'mkdocs.yml': 'site_name: Docs\n' });
  const asked: string[] = [];
  const world = { env: {}, isTerminal: true, version: '0.0.0', signal: new AbortController().signal, status: () => {} };
  const ask = async (question: string) => {
    asked.push(question);
    return SITE;
  };
  const code = await run(['init', folder.path], { ...world, ask, print: async () => {}, complain: () => {} });
  expect({ code, asked }).toMatchObject({ code: 0, asked: [expect.stringContaining('public address')] });
  expect(folder.read('tidings.config.json')).toContain(SITE);
});

test('links that lead out of the project are neither read nor written through', async () => {
  using folder = temporaryFolder();
  const outside = mkdtempSync(join(tmpdir(), 'tidings-outside-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(join(outside, 'package.json'), '{"devDependencies":{"astro":"5"}}');
  folder.write({ 'mkdocs.yml': `site_url: ${SITE}\n` });
  symlinkSync(join(outside, 'package.json'), join(folder.path, 'package.json'));
  symlinkSync(join(outside, 'new.json'), join(folder.path, 'tidings.config.json'));
  symlinkSync(outside, join(folder.path, '.tidings'));
  const { code, err, made } = await init(folder, ['--key']);
  expect({ code, made }).toEqual({ code: 3, made: [] });
  expect(err).toContain('package.json: it is a link that leads out of the project');
  expect(err).toContain('tidings.config.json cannot be made: it leads out of the project');
  expect(err).toContain('.tidings/.gitignore cannot be made: .tidings: it leads out of the project');
  expect(statSync(join(outside, 'package.json')).isFile()).toBe(true);
  expect(() => statSync(join(outside, 'new.json'))).toThrow('ENOENT');
});

test.each([
  ['of 100 MB', large, '104857600 bytes'],
  ['that is no JSON', (file: string) => writeFileSync(file, '{ "name": '), 'it is not JSON'],
  ['that is nested without end', (file: string) => writeFileSync(file, '['.repeat(100_000)), 'nested deeper'],
  ['that is a list', (file: string) => writeFileSync(file, '[]'), 'no object'],
  ['that is a folder', (file: string) => mkdirSync(file), 'it is no file'],
])('a package.json %s is told of, and all else goes on', async (_, make, says) => {
  using folder = temporaryFolder();
  folder.write({ 'mkdocs.yml': `site_url: ${SITE}\n` });
  make(join(folder.path, 'package.json'));
  const { code, err, made } = await init(folder);
  expect({ code, made }).toEqual({ code: 0, made: ['tidings.config.json'] });
  expect(err).toContain(`package.json: `);
  expect(err).toContain(says);
});

function large(file: string): void {
  writeFileSync(file, '{');
  truncateSync(file, 100 * 1024 * 1024);
}

test('a folder where a file should be, and a file where a folder should be, are told of', async () => {
  using folder = temporaryFolder();
  folder.write({ 'mkdocs.yml': `site_url: ${SITE}\n`, CNAME: 'docs.tidings.example', '.github': 'no folder' });
  mkdirSync(join(folder.path, 'tidings.config.json'));
  const { code, err, made } = await init(folder);
  expect({ code, made }).toEqual({ code: 3, made: [] });
  expect(err).toContain('tidings.config.json cannot be made: it is a folder');
  expect(err).toContain('.github/workflows/pages.yml cannot be made: .github: it is a file');
  expect(await operate(['init', join(folder.path, 'nowhere')])).toMatchObject({ code: 3 });
});

test.each(['a: [', 'a: &a [*a]', '- - - - -'.repeat(300), 'jobs: { a: { steps: 7 } }', 'jobs: 1'])(
  'a workflow that is odd stops nothing: %#',
  async (text) => {
    using folder = temporaryFolder();
    folder.write({ 'mkdocs.yml': `site_url: ${SITE}\n`, '.github/workflows/a.yml': text });
    expect(await init(folder)).toMatchObject({ code: 0, made: ['tidings.config.json'], report: { ci: 'github' } });
  },
);
