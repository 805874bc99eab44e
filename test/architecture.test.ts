import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { cyclesOf, type Graph } from './support/cycles.ts';

/** What a part of src/ may import besides itself. Imports point down; only doors and cli reach io and the list of dialects. */
const FOUNDATION = ['model', 'errors', 'codecs', 'codecs/primitives'];
const STAGES = ['log', 'diff', 'extract', 'fetch', 'surface', 'digest', 'tlog'];
const FLOWS = ['audit', 'check', 'init', 'produce', 'announce', 'follow', 'verify', 'sync', 'mcp', 'witness'];
/** What stands below the flows. `dialects` is the contract, which the flows know; `dialects/x` is one dialect, which they do not. */
const BELOW_FLOWS = [...FOUNDATION, ...STAGES, 'stream', 'crawl', 'dialects', 'hub/http'];
const BELOW_DOORS = [...BELOW_FLOWS, ...FLOWS, 'hub', 'dialects/*'];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // It runs in browsers and knows nothing of the rest.
  browser: [],
  // The page that checks receipts does it with the code of the command line: docs/adr/0086-one-verifier-for-two-doors.md.
  'browser/verify': ['codecs', 'codecs/primitives'],
  model: [],
  errors: [],
  'codecs/primitives': [],
  codecs: ['codecs/primitives'],
  ...Object.fromEntries(STAGES.map((stage) => [stage, FOUNDATION])),
  stream: FOUNDATION,
  crawl: [...FOUNDATION, ...STAGES],
  'hub/http': [...FOUNDATION, ...STAGES],
  dialects: BELOW_FLOWS,
  'dialects/*': BELOW_FLOWS,
  'dialects/registry': [...BELOW_FLOWS, 'dialects/*'],
  ...Object.fromEntries(FLOWS.map((flow) => [flow, BELOW_FLOWS])),
  hub: [...BELOW_FLOWS, ...FLOWS],
  io: BELOW_DOORS,
  doors: [...BELOW_DOORS, 'io', 'dialects/registry'],
  cli: [...FOUNDATION, 'io', 'doors', 'dialects/registry'],
};

/** Where a package of others may appear. One that is missing here may appear nowhere. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  entities: ['extract'],
  diff: ['diff'],
  'markdown-it': ['hub'],
  undici: ['io'],
  'ipaddr.js': ['io'],
  '@photostructure/sqlite': ['io'],
  commander: ['cli'],
  saxes: ['codecs'],
  graphql: ['codecs'],
  yaml: ['codecs'],
  tldts: ['verify', 'fetch'],
  'gpt-tokenizer': ['extract'],
  eld: ['extract'],
  'playwright-core': ['io'],
  pg: ['io'],
  'sqlite-vec': ['io'],
  stripe: ['io'],
  nodemailer: ['io'],
  'openid-client': ['io'],
  fastify: ['io'],
  pino: ['io'],
  'prom-client': ['io'],
  '@modelcontextprotocol/server': ['io'],
};

/** Built-in modules that compute and touch nothing. All others belong to io and cli. */
const PURE_BUILTINS: Readonly<Record<string, readonly string[]>> = {
  'node:crypto': [
    ...['codecs', 'codecs/primitives', ...STAGES, 'crawl', ...FLOWS, 'hub', 'hub/http', 'dialects', 'dialects/*'],
  ],
  'node:path': ['produce', 'check', 'hub', 'doors', 'dialects/*'],
  // To load a package when it is first needed.
  'node:module': ['extract'],
  'node:url': ['doors', 'extract', 'verify'],
  'node:util': ['extract'],
};

/** Words that reach outside without an import, and who may say them. */
const OUTSIDE: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(?:Timeout|Interval)\b/, ['io', 'doors', 'cli', 'browser']],
  [/\bMath\.random\b|\brandom(?:Bytes|UUID)\b|\bgetRandomValues\b/, ['io']],
  [/\bprocess\.\w/, ['io', 'cli']],
  [/\bglobalThis\.fetch\b|(?<![.\w])fetch\(/, ['io', 'browser']],
  // Wrong in Node 20: see codecs/primitives/can-parse-url.ts.
  [/\bURL\.canParse\b/, []],
];

const MAX_LINES = 400;
const IMPORTED = /(?<!['"`/\w])(?:from\s*|(?:import|require|getBuiltinModule)\s*\(?\s*)['"]([^'"\s]+)['"]/g;

test('every import points down and stays in its part', () => {
  const files = sourceFiles();
  expect(files.length, 'the scan is empty').toBeGreaterThan(30);
  const parts = new Set(files.map(ruleOf));
  expect(
    Object.keys(MAY_IMPORT).filter((part) => !parts.has(part)),
    'parts without a source',
  ).toEqual([]);
  expect(files.flatMap((file) => violations(file, readFileSync(join('src', file), 'utf8')))).toEqual([]);
});

test.each([
  ['model/a.ts', `import { TidingsError } from '../errors/tidings-error.ts';`],
  ['codecs/aicf/a.ts', `import type { Change } from '../../model/change.ts';`],
  ['codecs/aicf/a.ts', `import { decode } from '../diffdelta/decode.ts';`],
  ['produce/a.ts', `import { follow } from '../follow/follow.ts';`],
  ['produce/a.ts', `import { writeFile } from '../io/files/folder.ts';`],
  ['produce/a.ts', `import { aicfLine } from '../dialects/aicf/line.ts';`],
  ['hub/visit/a.ts', `import { DIALECTS } from '../../dialects/registry.ts';`],
  ['follow/a.ts', `import { readAicf } from '../dialects/aicf/read/aicf.ts';`],
  ['dialects/aicf/read/a.ts', `import { readDiffDelta } from '../../diffdelta/read/diffdelta.ts';`],
  ['dialects/aicf/read/a.ts', `import { poll } from '../../../follow/poll.ts';`],
  ['dialects/aicf/shelf/a.ts', `import type { HubStore } from '../../../hub/store/hub-store.ts';`],
  ['dialects/dialect.ts', `import { readAicf } from './aicf/read/aicf.ts';`],
  ['hub/http/a.ts', `import type { HubStore } from '../store/hub-store.ts';`],
  ['io/sqlite/a.ts', `import { DIALECTS } from '../../dialects/registry.ts';`],
  ['diff/a.ts', `import {\n  readPage,\n} from '../extract/read-page.ts';`],
  ['doors/a.ts', `import { main } from '../cli/main.ts';`],
  ['cli/a.ts', `import { diffPages } from '../diff/diff-pages.ts';`],
  ['cli/a.ts', `import { produce } from '../produce/produce.ts';`],
  ['follow/a.ts', `export * from '../doors/index.ts';`],
  ['log/a.ts', `import { readFile } from 'node:fs/promises';`],
  ['fetch/a.ts', `import net from 'net';`],
  ['doors/a.ts', `const sqlite = await import('node:sqlite');`],
  ['diff/a.ts', `import { decodeHTML } from 'entities';`],
  ['io/files/a.ts', `import leftPad from 'left-pad';`],
  ['log/a.ts', `const now = Date.now();`],
  ['produce/a.ts', `const today = new Date().toISOString();`],
  ['doors/a.ts', `const id = randomBytes(10);`],
  ['follow/a.ts', `const home = process.env.HOME;`],
  ['check/a.ts', `const answer = await fetch(url);`],
  ['crawl/a.ts', `if (URL.canParse(text)) return;`],
  ['browser/a.ts', `import { decodeReceipt } from '../codecs/tlog/receipt.ts';`],
  ['browser/verify/a.ts', `import type { Change } from '../../model/change.ts';`],
  ['store/a.ts', 'export const folder = "unknown";'],
])('a planted violation in %s is caught: %s', (file, source) => {
  expect(violations(file, source)).toHaveLength(1);
});

test('a file that is too long is caught', () => {
  expect(violations('io/files/a.ts', 'x;\n'.repeat(MAX_LINES - 1))).toEqual([]);
  expect(violations('io/files/a.ts', 'x;\n'.repeat(MAX_LINES))).toHaveLength(1);
});

test.each([
  [
    'io/sqlite/log.ts',
    `import type { Log } from '../../log/log.ts';\nconst sqlite = await import('node:sqlite');\nimport '../../dialects/aicf/line.ts';`,
  ],
  ['cli/main.ts', `import { publish } from '../doors/publish.ts';\nprocess.exitCode = 1;`],
  ['produce/a.ts', `import type { Dialect } from '../dialects/dialect.ts';`],
  ['dialects/aicf/a.ts', `import type { Dialect } from '../dialect.ts';\nimport '../../hub/http/route.ts';`],
  ['log/a.ts', `/** Never reads \`Date.now()\`. */\nconst at = new Date(now()); // not process.env`],
  ['codecs/aicf/a.ts', `// Clause list: see\n// Generated from clauses.tsv\n${'x;\n'.repeat(MAX_LINES)}`],
])('what is allowed in %s passes', (file, source) => {
  expect(violations(file, source)).toEqual([]);
});

test('no files import each other in a ring, and no folders do', () => {
  const graph = importGraph(sourceFiles(), (file) => readFileSync(join('src', file), 'utf8'));
  expect([...ringsOf(graph), ...ringsOf(folderGraph(graph))]).toEqual([]);
});

test('a planted ring is caught: of files, and of folders whose files form none', () => {
  const files: Readonly<Record<string, string>> = {
    'a/one.ts': `import type { Two } from './two.ts';`,
    'a/two.ts': `import type { One } from './one.ts';`,
    'hub/visit/x.ts': `import { y } from '../watch/y.ts';`,
    'hub/watch/y.ts': '',
    'hub/watch/z.ts': `import { w } from '../visit/w.ts';`,
    'hub/visit/w.ts': '',
    'cli/run.ts': `import { check } from './commands/check.ts';`,
    'cli/commands/check.ts': `import { world } from '../world.ts';`,
    'cli/world.ts': '',
  };
  const graph = importGraph(Object.keys(files), (file) => files[file] ?? '');
  expect(ringsOf(graph)).toEqual(['a/one.ts a/two.ts']);
  expect(ringsOf(folderGraph(graph))).toEqual(['a/one.ts a/two.ts', 'hub/visit hub/watch']);
});

test('every dependency stands in the table above and is argued in docs/adr', () => {
  const { dependencies, peerDependencies, devDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  ) as Record<'dependencies' | 'peerDependencies' | 'devDependencies', Record<string, string>>;
  const decisions = readdirSync('docs/adr').map((name) => readFileSync(join('docs/adr', name), 'utf8'));
  const named = Object.keys(PACKAGES);
  expect(Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !named.includes(name))).toEqual([]);
  // Those that are neither stand inside of what is published: docs/adr/0064-what-is-published.md.
  const installed = { ...dependencies, ...peerDependencies, ...devDependencies };
  expect(named.filter((name) => !(name in installed))).toEqual([]);
  const argued = (name: string) => decisions.some((decision) => decision.includes(`\`${name}\``));
  expect(named.filter((name) => !argued(name))).toEqual([]);
});

/** Relative to src/. Tests and contracts may use real parts from any folder. */
function sourceFiles(): string[] {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return paths.filter((path) => path.endsWith('.ts') && !/\.(?:test|contract)\.ts$/.test(path));
}

/** The part that a file belongs to: mostly its folder of src/, finer where the rules are. */
function partOf(file: string): string {
  const [top = '', second = '', third] = file.split('/');
  if (file === 'dialects/registry.ts') return 'dialects/registry';
  if (top === 'dialects') return third === undefined ? 'dialects' : `dialects/${second}`;
  return ['codecs/primitives', 'hub/http', 'browser/verify'].includes(`${top}/${second}`) ? `${top}/${second}` : top;
}

/** The name under which the rules know a part: all dialects follow one rule. */
function ruleOf(file: string): string {
  const part = partOf(file);
  return /^dialects\/(?!registry$)/.test(part) ? 'dialects/*' : part;
}

function violations(file: string, source: string): string[] {
  const rule = ruleOf(file);
  if (!(rule in MAY_IMPORT)) return [`${file}: no rule says what src/${rule} may import`];

  const code = withoutComments(source);
  const found = importsOf(code)
    .filter((name) => !mayImport(file, name))
    .map((name) => `${file} -> ${targetOf(file, name)}`);
  for (const [words, parts] of OUTSIDE) {
    const word = code.match(words)?.[0];
    if (word !== undefined && !parts.includes(rule)) found.push(`${file}: may not use ${word}`);
  }
  const tooLong = source.split('\n').length > MAX_LINES && !/^\/\/ Generated /m.test(source);
  return tooLong ? [...found, `${file}: longer than ${MAX_LINES} lines`] : found;
}

function mayImport(file: string, name: string): boolean {
  const rule = ruleOf(file);
  if (name.startsWith('.')) {
    const target = targetOf(file, name);
    // A codec knows itself and the primitives, not the other formats.
    if (rule === 'codecs' && ruleOf(target) === 'codecs') return dirname(target).startsWith(formatOf(file));
    return partOf(target) === partOf(file) || (MAY_IMPORT[rule] ?? []).includes(ruleOf(target));
  }
  if (name.startsWith('node:') || builtinModules.includes(name)) {
    return ['io', 'cli'].includes(rule) || (PURE_BUILTINS[name] ?? []).includes(rule);
  }
  return (PACKAGES[packageOf(name)] ?? []).includes(rule);
}

function targetOf(file: string, name: string): string {
  return name.startsWith('.') ? normalize(join(dirname(file), name)).replaceAll('\\', '/') : name;
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
}

function importsOf(code: string): string[] {
  return [...code.matchAll(IMPORTED)].map(([, name = '']) => name);
}

function importGraph(files: readonly string[], read: (file: string) => string): Graph {
  const own = (file: string) => importsOf(withoutComments(read(file))).filter((name) => name.startsWith('.'));
  return new Map(files.map((file) => [file, new Set(own(file).map((name) => targetOf(file, name)))]));
}

/** Folders of the second level and below are one node each; files that lie in a folder of src/ itself stay what they are. */
function folderGraph(graph: Graph): Graph {
  const nodeOf = (file: string) => (file.split('/').length > 2 ? dirname(file) : file);
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    const node = nodeOf(file);
    const seen = folders.get(node) ?? new Set();
    for (const target of targets) if (nodeOf(target) !== node) seen.add(nodeOf(target));
    folders.set(node, seen);
  }
  return folders;
}

function ringsOf(graph: Graph): string[] {
  return cyclesOf(graph)
    .map((ring) => ring.toSorted().join(' '))
    .sort();
}

/** Without the path behind it. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

function formatOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}
