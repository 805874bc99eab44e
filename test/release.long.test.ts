import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { MAX_PACKED_BYTES, PACKAGE_BOUNDS, packageFlaws, packedFiles } from '../scripts/check-package.mjs';
import { judgeRelease, notesOf } from '../scripts/check-release.mjs';
import { makeSbom } from '../scripts/make-sbom.mjs';
import { temporaryFolder } from './support/site.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly string[] } };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const WORKFLOWS = new Map<string, Workflow>(
  readdirSync('.github/workflows').map((name) => [name, parse(readFileSync(`.github/workflows/${name}`, 'utf8'))]),
);
const RELEASE = WORKFLOWS.get('release.yml');
const JOBS = Object.entries(RELEASE?.jobs ?? {});
const STEPS = JOBS.flatMap(([, { steps }]) => steps);
const commands = STEPS.flatMap(({ run }) => run ?? []);

test('a release has the rights that each of its jobs needs, and no job has those of another', () => {
  expect(RELEASE?.permissions).toEqual({});
  expect(Object.fromEntries(JOBS.map(([name, { permissions }]) => [name, permissions]))).toEqual({
    verify: { contents: 'read' },
    package: { contents: 'read' },
    npm: { contents: 'read', 'id-token': 'write' },
    image: { contents: 'read', packages: 'write' },
    release: { contents: 'write' },
  });
  for (const [name, { permissions }] of WORKFLOWS) expect(permissions, name).toBeDefined();
});

test('every action has an exact version, every command is shell, every script and file is there', () => {
  const used = [...WORKFLOWS.values()].flatMap(({ jobs }) => Object.values(jobs)).flatMap(({ steps }) => steps);
  const actions = used.flatMap(({ uses }) => uses ?? []);
  expect(actions.length).toBeGreaterThan(8);
  expect(actions.filter((name) => !/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/.test(name))).toEqual([]);
  for (const command of commands) execFileSync('bash', ['-n', '-c', command]);
  const scripts = commands.flatMap((command) => /\bnode (\S+\.mjs)/.exec(command)?.[1] ?? []);
  expect(new Set(scripts)).toEqual(
    new Set(['scripts/check-release.mjs', 'scripts/check-package.mjs', 'scripts/make-sbom.mjs']),
  );
  for (const script of scripts) expect(existsSync(script), script).toBe(true);
  expect(STEPS.flatMap((step) => step.with?.file ?? [])).toEqual(['Dockerfile']);
  // What people and events say must not become a part of a command.
  expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
});

test('the checks come before anything is public, and the package is published with its provenance', () => {
  expect(Object.keys(RELEASE?.on ?? {})).toEqual(['push']);
  expect(RELEASE?.on.push).toEqual({ tags: [expect.stringMatching(/^v/), expect.stringMatching(/^v/)] });
  const needs = Object.fromEntries(JOBS.map(([name, job]) => [name, job.needs]));
  expect(needs).toEqual({
    ...{ verify: undefined, package: 'verify', npm: 'package', image: 'verify', release: ['npm', 'image'] },
  });
  expect(commands.filter((command) => /npm publish/.test(command))).toEqual([
    expect.stringMatching(/^npm publish release\/tidings-\*\.tgz --provenance --access public --tag /),
  ]);
  expect(RELEASE?.jobs.verify?.steps.map(({ run }) => run)).toContain(
    'node scripts/check-release.mjs "$GITHUB_REF_NAME"',
  );
});

test('CI runs on every Node that is supported', () => {
  const strategy = WORKFLOWS.get('ci.yml')?.jobs.verify?.strategy;
  expect(strategy?.matrix.node.map((version) => version.split('.')[0])).toEqual(['20', '22', '24']);
});

/** The files of a release with that version in them. */
function releaseFolder(version: string, changelog: string) {
  const folder = temporaryFolder();
  for (const name of ['package.json', 'package-lock.json', 'CITATION.cff']) cpSync(name, join(folder.path, name));
  const own = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
  for (const name of ['package.json', 'CITATION.cff']) {
    folder.write({ [name]: folder.read(name).replace(own, version) });
  }
  const lock = JSON.parse(folder.read('package-lock.json'));
  lock.packages[''].version = version;
  folder.write({ 'package-lock.json': JSON.stringify({ ...lock, version }), 'CHANGELOG.md': changelog });
  return folder;
}

test('a release is what its tag says: package, lockfile, citation and changelog', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n## 1.2.3 (2027-01-01)\n\n- News.\n\n### Hub\n\n- More.\n\n## 1.2.2\n\n- Old.\n';
  using folder = releaseFolder('1.2.3', changelog);
  expect(judgeRelease(folder.path, 'v1.2.3')).toEqual({ flaws: [], notes: '- News.\n\n### Hub\n\n- More.' });
  expect(judgeRelease(folder.path, 'v1.2.2').flaws).toHaveLength(4);
  expect(judgeRelease(folder.path, 'v1.2').flaws).toEqual([expect.stringContaining('no tag of a release')]);
  expect(judgeRelease(folder.path, 'v01.2.3').flaws).toHaveLength(1);
  expect(notesOf(changelog, '1.2')).toBe('');
  expect(notesOf(changelog, 'Unreleased')).toBe('');
  using untold = releaseFolder('1.2.4', changelog);
  expect(judgeRelease(untold.path, 'v1.2.4').flaws).toEqual([expect.stringContaining('CHANGELOG.md says nothing')]);
  using torn = releaseFolder('1.2.3', changelog);
  torn.write({ 'package.json': '{"version":"1.2.2"}' });
  expect(judgeRelease(torn.path, 'v1.2.3').flaws).toEqual(['package.json says 1.2.2, the tag 1.2.3.']);
});

test('the version is said the same everywhere', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { flaws } = judgeRelease('.', `v${version}`);
  expect(flaws.filter((flaw) => !flaw.startsWith('CHANGELOG.md'))).toEqual([]);
});

test('the package holds what it needs and no more', () => {
  const packed = packedFiles('.');
  expect(packed.files.length).toBeGreaterThan(100);
  expect(packageFlaws(packed)).toEqual([]);
});

test.each([
  ['notes.txt', 'notes.txt is not expected in the package.'],
  ['test/pin/site.tgz', 'test is not expected in the package.'],
  ['dist/cli/run.ts', 'dist/cli/run.ts is a source.'],
  ['dist/cli/main.js.map', 'dist/cli/main.js.map is left over from a build or a run.'],
  ['docs/log-key.json', 'docs/log-key.json is perhaps a secret.'],
  ['docs/.env', 'docs/.env is hidden.'],
  ['constructor', 'constructor is not expected in the package.'],
])('planted in the package, %s is found', (path, flaw) => {
  const files = [...Object.keys(PACKAGE_BOUNDS).map((top) => ({ path: `${top}`, bytes: 1 })), { path, bytes: 1 }];
  expect(packageFlaws({ files, packedBytes: 1 })).toContain(flaw);
});

test('a package that grew, and one that lost a part, are found', () => {
  const files = Object.keys(PACKAGE_BOUNDS).map((path) => ({ path, bytes: 1 }));
  expect(packageFlaws({ files, packedBytes: 1 })).toEqual([]);
  expect(packageFlaws({ files: files.slice(1), packedBytes: 1 })).toEqual(['dist is missing.']);
  expect(packageFlaws({ files, packedBytes: MAX_PACKED_BYTES + 1 })).toHaveLength(1);
  const grown = files.map((file) => (file.path === 'docs' ? { ...file, bytes: 10_000_000 } : file));
  expect(packageFlaws({ files: grown, packedBytes: 1 })).toEqual([expect.stringMatching(/^docs has 10000000 bytes/)]);
});

test('the bill of materials names what is installed and what stands inside, and no place of this machine', () => {
  const sbom = makeSbom('.');
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'tidings' } } });
  const names = sbom.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['@photostructure/sqlite', 'fastify', 'undici', 'saxes', 'commander']));
  expect(names.filter((name) => ['vitest', 'typescript', 'knip', 'jsdom'].includes(name))).toEqual([]);
  for (const { purl } of sbom.components) expect(purl).toMatch(/^pkg:npm\/[^?]+@/);
  const refs = new Set([sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']));
  const told = sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(told.filter((each) => !refs.has(each))).toEqual([]);
  expect(JSON.stringify(sbom)).not.toContain(process.cwd());
  expect(JSON.stringify(sbom)).not.toMatch(/"(?:distribution|path)"/);
});
