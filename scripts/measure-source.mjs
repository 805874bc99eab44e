// Measures src/ without tests, contracts and generated files: lines, long functions, wide functions, and exported names that are defined in more than one file.
// `npm run measure` prints it; `npm run measure -- --list` names each place. The goals are in test/source-measures.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const MAX_FUNCTION_LINES = 60;
export const MAX_PARAMETERS = 4;

// TypeScript 7 has no parser for scripts. Knip depends on this one, so it is available wherever knip runs.
const { parseSync } = createRequire(createRequire(import.meta.url).resolve('knip'))('oxc-parser');

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** The paths below `root`/src, with their content. */
export function readSource(root) {
  const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|contract)\.ts$/.test(path))
    .sort();
  const files = paths.map((path) => [path, readFileSync(join(root, 'src', path), 'utf8')]);
  return new Map(files.filter(([, source]) => !/^\/\/ Generated /m.test(source)));
}

/** Takes paths with their sources, and returns counts and places. */
export function measureSource(files) {
  const measures = { files: files.size, lines: 0, long: [], wide: [], doubled: [] };
  const homes = new Map();
  for (const [path, source] of files) {
    const program = parseSource(path, source);
    const starts = lineStarts(source);
    measures.lines += starts.length - (source.endsWith('\n') ? 1 : 0);
    for (const name of exportedNames(program)) homes.set(name, [...(homes.get(name) ?? []), path]);
    for (const { name, node } of functionsOf(program)) {
      const line = lineAt(starts, node.start);
      const lines = lineAt(starts, node.end) - line + 1;
      const parameters = node.params.length;
      if (lines > MAX_FUNCTION_LINES) measures.long.push({ name, path, line, lines });
      if (parameters > MAX_PARAMETERS) measures.wide.push({ name, path, line, parameters });
    }
  }
  for (const [name, paths] of [...homes].sort()) {
    const distinct = [...new Set(paths)];
    if (distinct.length > 1) measures.doubled.push({ name, paths: distinct });
  }
  return measures;
}

/** The syntax tree of a file, as ESTree with types. */
export function parseSource(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  return program;
}

/** Names that a file defines and exports, including types. Re-exports belong to the file that defines them. */
function exportedNames({ body }) {
  const defined = new Set(body.flatMap((statement) => declaredNames(statement.declaration ?? statement)));
  return body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source) return [];
    const handedOut = statement.specifiers.filter(({ local }) => defined.has(local.name));
    return [...declaredNames(statement.declaration), ...handedOut.map(({ exported }) => exported.name)];
  });
}

function declaredNames(declaration) {
  if (declaration?.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => id.name ?? '');
  return declaration?.id?.name === undefined ? [] : [declaration.id.name];
}

/** Every function with a body. An anonymous one is named after what contains it. */
function functionsOf(program) {
  const found = [];
  const walk = (node, holder) => {
    if (Array.isArray(node)) for (const item of node) walk(item, holder);
    if (typeof node?.type !== 'string') return;
    const name = nameOf(node) ?? holder;
    if (FUNCTIONS.has(node.type) && node.body) found.push({ name, node });
    for (const key in node) if (typeof node[key] === 'object') walk(node[key], name);
  };
  walk(program.body, '');
  return found;
}

function nameOf(node) {
  const { name } = node.id ?? (/Property|MethodDefinition/.test(node.type) ? node.key : undefined) ?? {};
  return name;
}

function lineStarts(source) {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line of an offset, counted from 1. */
function lineAt(starts, offset) {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

function print({ files, lines, long, wide, doubled }, withPlaces) {
  console.log(`${lines} lines in ${files} files of src/, without tests, contracts and generated files`);
  console.log(`${long.length} functions over ${MAX_FUNCTION_LINES} lines`);
  if (withPlaces) for (const at of long) console.log(`  ${at.path}:${at.line} ${at.name}: ${at.lines} lines`);
  console.log(`${wide.length} functions with more than ${MAX_PARAMETERS} parameters`);
  if (withPlaces) for (const at of wide) console.log(`  ${at.path}:${at.line} ${at.name}: ${at.parameters} parameters`);
  console.log(`${doubled.length} exported names defined in more than one file`);
  if (withPlaces) for (const { name, paths } of doubled) console.log(`  ${name}: ${paths.join(' ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  print(measureSource(readSource(fileURLToPath(new URL('..', import.meta.url)))), process.argv.includes('--list'));
}
