import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** What a folder of src/ may import besides itself. Imports point down; only doors and cli reach io. */
const FOUNDATION = ['model', 'errors', 'codecs', 'codecs/primitives'];
const STAGES = ['log', 'diff', 'extract', 'fetch', 'surface', 'digest'];
const FLOWS = ['check', 'produce', 'follow', 'verify'];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  errors: [],
  'codecs/primitives': [],
  codecs: ['codecs/primitives'],
  ...Object.fromEntries(STAGES.map((stage) => [stage, FOUNDATION])),
  crawl: [...FOUNDATION, ...STAGES],
  ...Object.fromEntries(FLOWS.map((flow) => [flow, [...FOUNDATION, ...STAGES, 'crawl']])),
  hub: [...FOUNDATION, ...STAGES, 'crawl', ...FLOWS],
  io: [...FOUNDATION, ...STAGES, 'crawl', ...FLOWS, 'hub'],
  doors: [...FOUNDATION, ...STAGES, 'crawl', ...FLOWS, 'hub', 'io'],
  cli: [...FOUNDATION, ...FLOWS, 'hub', 'io', 'doors'],
};

/** Where a package of others may appear. One that is missing here may appear nowhere. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  htmlparser2: ['extract'],
  undici: ['io'],
  'ipaddr.js': ['io'],
  '@photostructure/sqlite': ['io'],
  commander: ['cli'],
  saxes: ['codecs'],
  graphql: ['codecs'],
  yaml: ['codecs'],
  tldts: ['verify', 'follow'],
  'gpt-tokenizer': ['extract'],
  eld: ['extract'],
  'playwright-core': ['io'],
  stripe: ['io'],
  fastify: ['io'],
  pino: ['io'],
  'prom-client': ['io'],
};

/** Built-in modules that compute and touch nothing. All others belong to io and cli. */
const PURE_BUILTINS: Readonly<Record<string, readonly string[]>> = {
  'node:crypto': [
    'check',
    'extract',
    'crawl',
    'verify',
    'diff',
    'log',
    'produce',
    'follow',
    'hub',
    'surface',
    'digest',
    'codecs',
    'codecs/primitives',
  ],
  'node:path': ['produce', 'check', 'hub', 'doors'],
  // To load a package when it is first needed.
  'node:module': ['extract'],
  'node:url': ['doors', 'extract'],
  'node:util': ['extract'],
};

/** Words that reach outside without an import, and who may say them. */
const OUTSIDE: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(?:Timeout|Interval)\b/, ['io', 'doors', 'cli']],
  [/\bMath\.random\b|\brandom(?:Bytes|UUID)\b|\bgetRandomValues\b/, ['io']],
  [/\bprocess\.\w/, ['io', 'cli']],
  [/\bglobalThis\.fetch\b|(?<![.\w])fetch\(/, ['io']],
  // Wrong in Node 20: see codecs/primitives/can-parse-url.ts.
  [/\bURL\.canParse\b/, []],
];

const MAX_LINES = 400;
const IMPORTED = /(?<!['"`/\w])(?:from\s*|(?:import|require|getBuiltinModule)\s*\(?\s*)['"]([^'"\s]+)['"]/g;

test('every import points down and stays in its folder', () => {
  const files = sourceFiles();
  expect(files.length, 'the scan is empty').toBeGreaterThan(30);
  const empty = Object.keys(MAY_IMPORT).filter((folder) => !files.some((file) => folderOf(file) === folder));
  expect(empty, 'folders without a source').toEqual([]);
  expect(files.flatMap((file) => violations(file, readFileSync(join('src', file), 'utf8')))).toEqual([]);
});

test.each([
  ['model/a.ts', `import { TidingsError } from '../errors/tidings-error.ts';`],
  ['codecs/aicf/a.ts', `import type { Change } from '../../model/change.ts';`],
  ['codecs/aicf/a.ts', `import { decode } from '../diffdelta/decode.ts';`],
  ['produce/a.ts', `import { follow } from '../follow/follow.ts';`],
  ['produce/publish/a.ts', `import { writeFile } from '../../io/files-output.ts';`],
  ['diff/a.ts', `import {\n  readPage,\n} from '../extract/read-page.ts';`],
  ['doors/a.ts', `import { main } from '../cli/main.ts';`],
  ['cli/a.ts', `import { diffPages } from '../diff/diff-pages.ts';`],
  ['follow/a.ts', `export * from '../doors/index.ts';`],
  ['log/a.ts', `import { readFile } from 'node:fs/promises';`],
  ['fetch/a.ts', `import net from 'net';`],
  ['doors/a.ts', `const sqlite = await import('node:sqlite');`],
  ['diff/a.ts', `import { parseDocument } from 'htmlparser2';`],
  ['io/a.ts', `import leftPad from 'left-pad';`],
  ['log/a.ts', `const now = Date.now();`],
  ['produce/a.ts', `const today = new Date().toISOString();`],
  ['doors/a.ts', `const id = randomBytes(10);`],
  ['follow/a.ts', `const home = process.env.HOME;`],
  ['check/a.ts', `const answer = await fetch(url);`],
  ['crawl/a.ts', `if (URL.canParse(text)) return;`],
  ['store/a.ts', 'export const folder = "unknown";'],
])('a planted violation in %s is caught: %s', (file, source) => {
  expect(violations(file, source)).toHaveLength(1);
});

test('a file that is too long is caught', () => {
  expect(violations('io/a.ts', 'x;\n'.repeat(MAX_LINES - 1))).toEqual([]);
  expect(violations('io/a.ts', 'x;\n'.repeat(MAX_LINES))).toHaveLength(1);
});

test.each([
  ['io/sqlite-log.ts', `import type { Log } from '../log/log.ts';\nconst sqlite = await import('node:sqlite');`],
  ['cli/main.ts', `import { publish } from '../doors/publish.ts';\nprocess.exitCode = 1;`],
  ['log/a.ts', `/** Never reads \`Date.now()\`. */\nconst at = new Date(now()); // not process.env`],
  ['codecs/aicf/a.ts', `// Clause list: see\n// Generated from clauses.tsv\n${'x;\n'.repeat(MAX_LINES)}`],
])('what is allowed in %s passes', (file, source) => {
  expect(violations(file, source)).toEqual([]);
});

test('every dependency stands in the table above and is argued in docs/adr', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  const decisions = readdirSync('docs/adr').map((name) => readFileSync(join('docs/adr', name), 'utf8'));
  expect(Object.keys({ ...dependencies, ...peerDependencies }).sort()).toEqual(Object.keys(PACKAGES).sort());
  const argued = (name: string) => decisions.some((decision) => decision.includes(`\`${name}\``));
  expect(Object.keys(PACKAGES).filter((name) => !argued(name))).toEqual([]);
});

/** Relative to src/. Tests and contracts may use real parts from any folder. */
function sourceFiles(): string[] {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return paths.filter((path) => path.endsWith('.ts') && !/\.(?:test|contract)\.ts$/.test(path));
}

function folderOf(file: string): string {
  return file.startsWith('codecs/primitives/') ? 'codecs/primitives' : (file.split('/')[0] ?? '');
}

function violations(file: string, source: string): string[] {
  const folder = folderOf(file);
  if (!(folder in MAY_IMPORT)) return [`${file}: no rule says what src/${folder} may import`];

  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  const imports = [...code.matchAll(IMPORTED)].map(([, name = '']) => name);
  const found = imports.filter((name) => !mayImport(file, name)).map((name) => `${file}: may not import ${name}`);
  for (const [words, folders] of OUTSIDE) {
    const word = code.match(words)?.[0];
    if (word !== undefined && !folders.includes(folder)) found.push(`${file}: may not use ${word}`);
  }
  const tooLong = source.split('\n').length > MAX_LINES && !/^\/\/ Generated /m.test(source);
  return tooLong ? [...found, `${file}: longer than ${MAX_LINES} lines`] : found;
}

function mayImport(file: string, name: string): boolean {
  const folder = folderOf(file);
  if (name.startsWith('.')) {
    const target = normalize(join(dirname(file), name)).replaceAll('\\', '/');
    // A dialect's codec knows itself and the primitives, not the other dialects.
    if (folder === 'codecs' && folderOf(target) === 'codecs') return dirname(target).startsWith(dialectOf(file));
    return folderOf(target) === folder || (MAY_IMPORT[folder] ?? []).includes(folderOf(target));
  }
  if (name.startsWith('node:') || builtinModules.includes(name)) {
    return ['io', 'cli'].includes(folder) || (PURE_BUILTINS[name] ?? []).includes(folder);
  }
  return (PACKAGES[packageOf(name)] ?? []).includes(folder);
}

/** Without the path behind it. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

function dialectOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}
