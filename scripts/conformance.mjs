// Joins the clauses of every specification with the tests that show them, and writes docs/conformance.md. `npm run conformance` regenerates the page;
// test/clauses.test.ts checks whether it is up to date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

export const CONFORMANCE_PAGE = 'docs/conformance.md';

/** A test of more clauses does not show each of them. */
export const MAX_CLAUSES_OF_TEST = 3;

/** Its planted calls are examples, not tests of a clause. */
const NOT_SCANNED = 'test/clauses.test.ts';

/** Reads the whole repository below `root`. */
export function readConformance(root) {
  const dialects = readdirSync(join(root, 'specs'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, 'specs', entry.name, 'clauses.tsv')))
    .map((entry) => entry.name)
    .sort();
  const paths = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );
  const sources = new Map(
    paths
      .filter((path) => path.endsWith('.ts'))
      .sort()
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
  const unreached = findUnreached(sources, entriesOf(readFileSync(join(root, 'package.json'), 'utf8')));
  const calls = [...sources]
    .filter(([path]) => path.endsWith('.test.ts') && path !== NOT_SCANNED)
    .map(([path, source]) => judged(findClauseCalls(path, source), unreached.get(path)));
  return {
    clauses: dialects.flatMap((dialect) => parseClauses(dialect, readSpec(root, dialect, 'clauses.tsv'))),
    exceptions: dialects.flatMap((dialect) => parseExceptions(readSpec(root, dialect, 'exceptions.tsv'))),
    remarks: dialects.flatMap((dialect) => parseExceptions(readSpec(root, dialect, 'remarks.tsv'))),
    shown: calls.flatMap((call) => call.shown),
    flaws: calls.flatMap((call) => call.flaws),
  };
}

/** Clauses shown by a test of unreachable code do not count. */
function judged({ shown, flaws }, unreached) {
  if (unreached === undefined || shown.length === 0) return { shown, flaws };
  const flaw = `${shown[0].file}: shows clauses on ${unreached}, which neither a door nor the cli reaches`;
  return { shown: [], flaws: [...flaws, flaw] };
}

/** The entry points for users of the package: the exported doors, and its command. */
export function entriesOf(packageJson) {
  const { exports, bin } = JSON.parse(packageJson);
  const built = [...Object.values(exports).map((door) => door.default ?? door), ...Object.values(bin)];
  return built.filter((path) => path.endsWith('.js')).map((path) => path.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts'));
}

const IMPORTED = /(?<!['"`/\w])(?:from\s*|import\s*\(?\s*)['"](\.[^'"\s]+\.ts)['"]/g;
const TYPE_IMPORT = /\bimport\s+type\b[^;]*?from\s*['"][^'"]+['"]/g;

/**
 * By test file: the first module of src/ that it tests and that no entry point reaches, if any. Imports of a test count, and those of its helpers in test/ and
 * of contracts. Type imports do not.
 */
export function findUnreached(sources, entries) {
  const importsOf = (path) =>
    [...(sources.get(path) ?? '').replaceAll(TYPE_IMPORT, '').matchAll(IMPORTED)].map(([, target]) =>
      join(dirname(path), target),
    );
  const reached = reach(entries, importsOf);
  const isTestCode = (path) => path.startsWith('test/') || /\.(?:test|contract)\.ts$/.test(path);
  const unreached = new Map();
  for (const path of sources.keys()) {
    if (!path.endsWith('.test.ts')) continue;
    const tested = reach([path], (each) => (isTestCode(each) ? importsOf(each) : []));
    const first = [...tested].find((each) => !isTestCode(each) && !reached.has(each));
    if (first !== undefined) unreached.set(path, first);
  }
  return unreached;
}

function reach(starts, importsOf) {
  const reached = new Set();
  const open = [...starts];
  while (open.length > 0) {
    const path = open.pop();
    if (reached.has(path)) continue;
    reached.add(path);
    open.push(...importsOf(path));
  }
  return reached;
}

function readSpec(root, dialect, name) {
  const path = join(root, 'specs', dialect, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** `id, level, role, section, clause, how to test`, tab-separated, below one header line. */
export function parseClauses(dialect, text) {
  return rows(text).map(([id, level, role, section, clause]) => ({ dialect, id, level, role, section, clause }));
}

/** `id, reason`, tab-separated, below one header line. */
export function parseExceptions(text) {
  return rows(text).map(([id, reason = '']) => ({ id, reason: reason.trim() }));
}

function rows(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.slice(1).map((line) => line.split('\t'));
}

const CALL = /(?<![.\w])clause\(/g;
const STRING = ["'", '"', '`'].map((quote) => `${quote}(?:[^${quote}\\\\]|\\\\.)*${quote}`).join('|');
const LITERALS = new RegExp(String.raw`^\s*(\[[^\]]*\]|${STRING})\s*,\s*(${STRING})`);

/** Finds `clause('ID', 'title'` and `clause(['ID', …], 'title'`. A call without literals, or with too many ids, is a flaw. */
export function findClauseCalls(file, source) {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  const shown = [];
  const flaws = [];
  for (const call of code.matchAll(CALL)) {
    const literals = code.slice(call.index + call[0].length).match(LITERALS);
    const where = `${file}:${code.slice(0, call.index).split('\n').length}`;
    if (literals === null) {
      flaws.push(`${where}: clause ids and title must be literals`);
      continue;
    }
    const title = literals[2].slice(1, -1).replaceAll(/\\(.)/g, '$1');
    const ids = [...literals[1].matchAll(/['"`]([^'"`]*)['"`]/g)].map(([, id]) => id);
    if (ids.length <= MAX_CLAUSES_OF_TEST) shown.push(...ids.map((id) => ({ id, file, title })));
    else flaws.push(`${where}: names ${ids.length} clauses; a test shows ${MAX_CLAUSES_OF_TEST} at most`);
  }
  return { shown, flaws };
}

/** Every mismatch between clauses, tests and exceptions, as messages. */
export function findGaps({ clauses, exceptions, remarks = [], shown, flaws }) {
  const byId = new Map(clauses.map((clause) => [clause.id, clause]));
  const tested = new Set(shown.map(({ id }) => id));
  const excepted = new Set(exceptions.map(({ id }) => id));
  const gaps = [...flaws];
  for (const { id, level } of clauses) {
    if (tested.has(id) || level === 'MAY') continue;
    if (level === 'SHOULD' && excepted.has(id)) continue;
    gaps.push(`${id}: ${level} without a test${level === 'SHOULD' ? ' and without a reason in exceptions.tsv' : ''}`);
  }
  for (const { id, file } of shown) if (!byId.has(id)) gaps.push(`${file}: there is no clause ${id}`);
  for (const { id, reason } of exceptions) {
    if (!byId.has(id)) gaps.push(`exceptions.tsv: there is no clause ${id}`);
    else if (reason === '') gaps.push(`exceptions.tsv: ${id} has no reason`);
    else if (tested.has(id)) gaps.push(`exceptions.tsv: ${id} has a test and needs no exception`);
    else if (byId.get(id).level.startsWith('MUST')) gaps.push(`exceptions.tsv: ${id} is a MUST and cannot be excepted`);
  }
  for (const { id, reason } of remarks) {
    if (!tested.has(id) || reason === '') gaps.push(`remarks.tsv: ${id} has no test or no remark`);
  }
  return [...new Set(gaps)];
}

/** The page: the same input always gives the same bytes. */
export function renderConformance({ clauses, exceptions, remarks = [], shown }) {
  const reasons = new Map(exceptions.map(({ id, reason }) => [id, reason]));
  const parts = new Map(remarks.map(({ id, reason }) => [id, `shown in part: ${reason}`]));
  const lines = [
    '# Conformance',
    '',
    'Which obligation of which specification is shown by which test. Generated by `npm run conformance` from',
    '`specs/*/clauses.tsv`, `exceptions.tsv`, `remarks.tsv` and the `clause(…)` calls in the tests; do not edit by hand.',
    `A test counts that names at most ${MAX_CLAUSES_OF_TEST} clauses, on code that a door of the package or the command line reaches.`,
  ];
  for (const dialect of new Set(clauses.map((clause) => clause.dialect))) {
    const own = clauses.filter((clause) => clause.dialect === dialect);
    lines.push('', `## ${dialect}`, '', '| level | clauses | shown by a test |', '|---|---|---|');
    for (const level of new Set(own.map((clause) => clause.level))) {
      const ofLevel = own.filter((clause) => clause.level === level);
      const withTest = ofLevel.filter(({ id }) => shown.some((test) => test.id === id));
      lines.push(`| ${level} | ${ofLevel.length} | ${withTest.length} |`);
    }
    lines.push('', '| clause | level | obligation | status | shown by |', '|---|---|---|---|---|');
    for (const { id, level, section, clause } of own) {
      const tests = shown.filter((test) => test.id === id).map(({ file, title }) => `${title} (\`${file}\`)`);
      const status =
        tests.length > 0
          ? (parts.get(id) ?? 'shown')
          : (reasons.get(id) ?? (level === 'MAY' ? 'optional' : 'no test yet'));
      lines.push(
        `| ${[id, level, `${clause} (${section})`, status, tests.sort().join('<br>')].map(cell).join(' | ')} |`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

function cell(text) {
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(?!br>)/g, '&lt;');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const conformance = readConformance(root);
  writeFileSync(join(root, CONFORMANCE_PAGE), renderConformance(conformance));
  const gaps = findGaps(conformance);
  console.log(`${CONFORMANCE_PAGE} written: ${conformance.clauses.length} clauses, ${gaps.length} gaps`);
  for (const gap of gaps) console.log(`  ${gap}`);
}
