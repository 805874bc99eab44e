import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPromMetrics } from '../src/io/prom/metrics.ts';

const OPERATIONS = readFileSync('docs/operations.md', 'utf8');

/** The names of all properties, however deep. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value as object) : []),
    ...keysOf(value),
  ]);
}

test('every key of the settings is documented', () => {
  const keys = new Set(keysOf(JSON.parse(readFileSync('schema/tidings.config.schema.json', 'utf8'))));
  expect(keys.size).toBeGreaterThan(30);
  const [, settings = ''] = OPERATIONS.split(/^## Settings$|^## Sources while it runs$/m);
  const named = (key: string) => settings.includes(`\`${key}\``) || settings.includes(`"${key}"`);
  expect([...keys].filter((key) => !named(key))).toEqual([]);
  expect(named('prot')).toBe(false);
});

test('every metric of ours is documented, and no other', async () => {
  const text = await createPromMetrics().render();
  const names = [...text.matchAll(/^# TYPE (tidings_\w+) /gm)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(8);
  const documented = [...OPERATIONS.matchAll(/`(tidings_\w+)/g)].map(([, name]) => name ?? '');
  expect([...new Set(documented)].sort()).toEqual([...new Set(names)].sort());
});

test('the image takes in nothing but what is built and run', () => {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  expect(ignored.indexOf('*')).toBeGreaterThan(-1);
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
  expect(copied).toContain('src');
  for (const name of copied) expect([existsSync(name), ignored.includes(`!${name}`)], name).toEqual([true, true]);
  expect(dockerfile).not.toMatch(/^(?:ENV|ARG) .*(?:TOKEN|SECRET|PASSWORD|KEY)=/m);
  expect(dockerfile.lastIndexOf('\nUSER 10001')).toBeGreaterThan(dockerfile.lastIndexOf('\nRUN '));
});

test('what is fetched for a build or a check has an exact version', () => {
  const composed = readFileSync('deploy/compose.yaml', 'utf8').matchAll(/^ +image: (\S+:\S+)/gm);
  const images = [...readFileSync('Dockerfile', 'utf8').matchAll(/^(?:FROM|# syntax=) ?(\S+:\S+)/gm), ...composed];
  const actions = readdirSync('.github/workflows').flatMap((file) => [
    ...readFileSync(join('.github/workflows', file), 'utf8').matchAll(/(?:uses|runs-on): *(\S+)|node: *\[(.*)\]/g),
  ]);
  const named = [...images, ...actions].flatMap(([, one, several]) => one ?? several?.split(/,\s*/) ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !/(?:\d+\.\d+\.\d+|^postgres:\d+\.\d+|^ubuntu-\d+\.\d+$)/.test(name))).toEqual([]);
});

test('the image has the driver that was tested, and what is composed of it are verbs that there are', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  expect(readFileSync('Dockerfile', 'utf8')).toContain(`pg@${packages['node_modules/pg'].version} `);
  const composed = readFileSync('deploy/compose.yaml', 'utf8');
  const verbs = [...composed.matchAll(/^ +command: \[(\w+)/gm)].map(([, verb]) => verb);
  expect(verbs).toEqual(['serve', 'serve', 'worker', 'worker']);
  for (const verb of verbs) expect(existsSync(`src/cli/commands/${verb}.ts`), verb).toBe(true);
  expect(composed).not.toMatch(/(?:PASSWORD|TOKEN|DATABASE): /);
});

test('the service is bounded in memory and in tasks', () => {
  const unit = readFileSync('deploy/tidings.service', 'utf8');
  expect(unit).toMatch(/^MemoryMax=\d+[MG]$/m);
  expect(unit).toMatch(/^TasksMax=\d+$/m);
});
