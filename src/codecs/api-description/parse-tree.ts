import { findJsonFlaw } from '../primitives/json-flaw.ts';

/** The values of a JSON or YAML document, or why it cannot be parsed. */
export type ParsedTree =
  | { readonly ok: true; readonly tree: unknown }
  | { readonly ok: false; readonly reason: string };

const MAX_DEPTH = 200;
/** Counted with every alias expanded. */
const MAX_VALUES = 2_000_000;
const MAX_ALIASES = 1000;
const TOO_DEEP = `it is nested more than ${MAX_DEPTH} deep`;
/** Nesting that would exhaust the stack of the parser: brackets within brackets, lists within lists. */
const DEEP_YAML = new RegExp(`(?:[[{]\\s*){${MAX_DEPTH}}|(?:[-?] +){${MAX_DEPTH}}`);
/** Where authors write versions without quotes. */
const VERSIONS = [['openapi'], ['info', 'version'], ['version'], ['serverInfo', 'version']];

export async function parseTree(text: string): Promise<ParsedTree> {
  return /^\s*[{[]/.test(text) ? parseJson(text) : await parseYaml(text);
}

function parseJson(text: string): ParsedTree {
  const flaw = findJsonFlaw(text, MAX_DEPTH);
  if (flaw?.is === 'deep') return refused(TOO_DEEP);
  if (flaw?.is === 'duplicate') return refused(`it says "${flaw.at}" twice`);
  try {
    return bounded(JSON.parse(text));
  } catch (error) {
    return refused(`it is not JSON (${messageOf(error)})`);
  }
}

async function parseYaml(text: string): Promise<ParsedTree> {
  // Loaded on demand: most descriptions are JSON.
  const { isScalar, parseDocument } = await import('./yaml-parser.ts');
  if (DEEP_YAML.test(text)) return refused(TOO_DEEP);
  try {
    const document = parseDocument(text, { version: '1.2', schema: 'core', merge: true });
    // The parser only warns about an unknown tag.
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem?.code === 'MULTIPLE_DOCS') return refused('it holds several YAML documents; give one');
    for (const path of VERSIONS) {
      const node = document.getIn(path, true);
      // 1.10 is not 1.1.
      if (isScalar(node) && typeof node.value === 'number') node.value = node.source ?? node.value;
    }
    if (problem !== undefined && isTooDeep(problem)) return refused(TOO_DEEP);
    if (problem !== undefined) return refused(`it is not plain YAML (${messageOf(problem)})`);
    return bounded(document.toJS({ maxAliasCount: MAX_ALIASES }));
  } catch (error) {
    return refused(isTooDeep(error) ? TOO_DEEP : `it is not plain YAML (${messageOf(error)})`);
  }
}

/** Aliases can make a small text large, or make a value contain itself. */
function bounded(tree: unknown): ParsedTree {
  const open: (readonly [unknown, number])[] = [[tree, 0]];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    count += 1;
    if (count > MAX_VALUES) return refused(`it holds more than ${MAX_VALUES} values`);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) return refused(TOO_DEEP);
    for (const member of Object.values(value)) open.push([member, depth + 1]);
  }
  return { ok: true, tree };
}

function refused(reason: string): ParsedTree {
  return { ok: false, reason };
}

/** The parser may report a stack overflow as an error of the text. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError || /call stack/i.test(messageOf(error));
}

function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replace(/:?\s*$/, '');
}
