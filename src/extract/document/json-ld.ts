import { isJsonObject, jsonSlices, parseJson } from '../../codecs/aidocument/parse-json.ts';
import type { JsonObject, JsonValue } from '../../codecs/aidocument/wire.ts';
import { canonicalJson } from '../../codecs/primitives/canonical-json.ts';

const LIMITS = { maxLength: 2 * 1024 * 1024, maxDepth: 64 };
/** The maximum number of characters of all blocks together. */
const MAX_TOTAL_LENGTH = 4 * 1024 * 1024;
const MAX_BLOCKS = 500;
/** The maximum number of characters of all contexts that nodes inherit from their graphs. */
const MAX_COPIED_LENGTH = 1024 * 1024;

/**
 * The JSON-LD of a page as one object: a single block as it is, else `{"@context"?, "@graph": [every node]}`, because merging keys would lose types and ids
 * (T-AWI-10). Undefined if no block contains data.
 */
export function mergeJsonLd(texts: readonly string[]): JsonObject | undefined {
  const blocks = readBlocks(texts);
  const [only] = blocks;
  if (blocks.length === 1 && isJsonObject(only)) return only;

  const units = blocks.flatMap((block) => (Array.isArray(block) ? block.filter(isJsonObject) : [block]));
  const nodes = units.filter(isJsonObject);
  if (nodes.length === 0) return undefined;
  const context = sharedContext(nodes);
  if (context === undefined) return { '@graph': unfoldAll(nodes) };
  return { '@context': context, '@graph': unfoldAll(nodes.map(withoutContext)) };
}

/** The types of the node and of the nodes in its graphs, without the address of a vocabulary before them. */
export function typesOf(node: JsonObject): string[] {
  return nodesOf(node).flatMap((one) => namesIn(one['@type']));
}

/** The node and the nodes in its graphs. */
export function nodesOf(node: JsonObject): JsonObject[] {
  const graph = node['@graph'];
  return [node, ...(Array.isArray(graph) ? graph.filter(isJsonObject).flatMap(nodesOf) : [])];
}

function namesIn(type: JsonValue | undefined): string[] {
  const names = Array.isArray(type) ? type : [type];
  return names.filter((name) => typeof name === 'string').map((name) => name.replace(/^.*[/#:]/, ''));
}

function readBlocks(texts: readonly string[]): JsonValue[] {
  const blocks: JsonValue[] = [];
  let left = MAX_TOTAL_LENGTH;
  for (const text of texts.slice(0, MAX_BLOCKS)) {
    if (text.length > left) continue;
    left -= text.length;
    for (const value of valuesIn(withoutNulEscapes(unwrap(text)))) {
      if (isJsonObject(value) || (Array.isArray(value) && value.some(isJsonObject))) blocks.push(value);
    }
  }
  return blocks;
}

/** The value of a block. If it is not valid JSON, the values before, between and after the invalid parts: `{…};`, `{…}{…}`. */
function valuesIn(text: string): JsonValue[] {
  const value = parseJson(text, LIMITS);
  if (value !== undefined) return [value];
  if (!/^[{[]/.test(text)) return [];
  // Line ends inside strings are the most common error. Between tokens they are white space anyway.
  const values = jsonSlices(text.replace(CONTROL, ' ')).map((slice) => parseJson(slice, LIMITS));
  return values.filter((one) => one !== undefined);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them inside a string.
const CONTROL = /[\u0000-\u001F]/g;

/** NUL is not text: its escape becomes U+FFFD, as in the rest of a page. */
function withoutNulEscapes(text: string): string {
  if (!text.includes('\\u0000')) return text;
  return text.replace(/\\(?:\\|u0000)/g, (escaped) => (escaped === '\\u0000' ? '\\uFFFD' : escaped));
}

/** Old templates wrap scripts in a comment or a CDATA section. */
function unwrap(text: string): string {
  const trimmed = text.trim();
  const inner =
    /^(?:<!--|\/\/\s*<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)([\s\S]*?)(?:(?:\/\/\s*)?-->|\/\/\s*\]\]>|\/\*\s*\]\]>\s*\*\/|\]\]>)$/.exec(
      trimmed,
    );
  return inner?.[1] ?? trimmed;
}

/**
 * The nodes. A bare graph is replaced by its nodes, each with the graph's context. A graph with its own name stays a node, and so does one whose context is too
 * long to be copied.
 */
function unfoldAll(nodes: readonly JsonObject[]): JsonObject[] {
  let left = MAX_COPIED_LENGTH;
  return nodes.flatMap((node) => {
    const { '@context': context, '@graph': graph, ...own } = node;
    const isHolder = (Array.isArray(graph) || isJsonObject(graph)) && Object.keys(own).length === 0;
    if (!isHolder) return [node];
    const held = (Array.isArray(graph) ? graph : [graph]).filter(isJsonObject);
    if (context === undefined) return held;
    const length = canonicalJson(context).length * held.length;
    if (length > left) return [node];
    left -= length;
    return held.map((one) => ({ ...one, '@context': joinContexts(context, one['@context']) }));
  });
}

/** JSON-LD 1.1 §3.1: with several contexts, each is applied on top of those before it. */
function joinContexts(outer: JsonValue, inner: JsonValue | undefined): JsonValue {
  return inner === undefined ? outer : [outer, inner].flat();
}

function sharedContext(nodes: readonly JsonObject[]): JsonValue | undefined {
  const [first] = nodes;
  const context = first?.['@context'];
  if (context === undefined) return undefined;
  const text = canonicalJson(context);
  const isShared = nodes.every(({ '@context': other }) => other !== undefined && canonicalJson(other) === text);
  return isShared ? context : undefined;
}

function withoutContext({ '@context': _, ...node }: JsonObject): JsonObject {
  return node;
}
