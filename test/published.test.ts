import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { expect, test } from 'vitest';
import { packedFiles } from '../scripts/check-package.mjs';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, { readonly types?: string; readonly default?: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const MANIFEST = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const IMPORTED = /(?<![.\w])(?:from|import|__require\d*\()\s*\(?\s*["']([^"'\s]+)["']/g;
const TYPES_IMPORTED = /\bfrom\s+['"]([^'".][^'"]*)['"]/g;

/** Relative to the package, what `npm publish` would send. */
const files = packedFiles('.').files.map(({ path }) => path);

const YAML = 'test/surface-pairs/pairs/weather-yaml/new.yaml';

/** What doors load by name: tables, and what browsers load. */
const BESIDE = [
  ...['dist/tables/o200k.cjs', 'dist/tables/languages.cjs'],
  ...['dist/assets/dashboard.css', 'dist/assets/dashboard.js', 'dist/assets/icon.svg'],
];

test('all that package.json names is published, and compiled modules are not a second time', () => {
  const doors = Object.values(MANIFEST.exports).flatMap((door) => [door.types ?? [], door.default ?? []].flat());
  const named = [...Object.values(MANIFEST.bin), ...doors].map((path) => path.replace('./', ''));
  expect(files).toEqual(expect.arrayContaining([...named, ...BESIDE]));
  const modules = files.filter((path) => /^dist\/.*\.js$/.test(path) && !/^dist\/(?:chunks|assets)\//.test(path));
  expect(modules.sort()).toEqual(named.filter((path) => path.endsWith('.js')).sort());
});

test('what is published asks for nothing but Node and the packages that are installed with it', () => {
  const allowed = Object.keys({ ...MANIFEST.dependencies, ...MANIFEST.peerDependencies });
  const isAllowed = (name: string) =>
    name.startsWith('.') ||
    name.startsWith('node:') ||
    builtinModules.includes(name) ||
    allowed.some((known) => name === known || name.startsWith(`${known}/`));
  const programs = files.filter((path) => /^dist\/.*\.c?js$/.test(path));
  expect(programs.length).toBeGreaterThan(20);
  for (const path of programs) {
    // Text inside of a program may look like an import: only what stands at the beginning of a statement counts.
    const code = readFileSync(path, 'utf8').match(/^(?:import|export|\} from).*$|import\("[^"]+"\)/gm) ?? [];
    const names = [...code.join('\n').matchAll(IMPORTED)].map(([, name = '']) => name);
    expect(
      names.filter((name) => !isAllowed(name)),
      path,
    ).toEqual([]);
  }
  for (const path of files.filter((path) => path.endsWith('.d.ts'))) {
    // What an example in a comment imports is imported by nobody.
    const types = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    const names = [...types.matchAll(TYPES_IMPORTED)].map(([, name = '']) => name);
    expect(
      names.filter((name) => !isAllowed(name)),
      path,
    ).toEqual([]);
  }
});

test('the program that is published reads YAML as its sources do', () => {
  const said = execFileSync(process.execPath, ['dist/cli/main.js', 'surface', 'diff', YAML, YAML], {
    encoding: 'utf8',
  });
  expect(said).toMatch(/ 0 added, 0 removed, [1-9]\d* the same/);
});

test('whose work is inside stands in the notices, with its terms', () => {
  const notices = readFileSync('dist/NOTICES.txt', 'utf8');
  expect(files).toContain('dist/NOTICES.txt');
  for (const name of [
    'fastify',
    'undici',
    'gpt-tokenizer',
    'eld',
    'entities',
    'yaml',
    'graphql',
    'prom-client',
    'saxes',
  ]) {
    expect(notices, name).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, 'm'));
  }
  expect(notices).toContain('Permission is hereby granted');
});
