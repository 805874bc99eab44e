/** A flaw in a JSON text that a parser would accept. */
export type JsonFlaw =
  | { readonly is: 'deep' }
  /** Of two values for one key, a parser silently keeps the last. `at` is like `sources[1].url`. */
  | { readonly is: 'duplicate'; readonly at: string };

/** An object or an array that is still open. */
interface Level {
  /** Undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** Whether the next string is a key. */
  wantsKey: boolean;
  key: string;
  index: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The first flaw of a text, found in one pass before a parser sees it: deep nesting could exhaust the stack of code that walks the
 * value. Invalid JSON is not reported; that is left to the parser.
 */
export function findJsonFlaw(text: string, maxDepth: number): JsonFlaw | undefined {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const level = levels.at(-1);
    switch (text.charCodeAt(at)) {
      case OPEN_LIST:
      case OPEN_OBJECT: {
        if (levels.length === maxDepth) return { is: 'deep' };
        const isObject = text.charCodeAt(at) === OPEN_OBJECT;
        levels.push({ keys: isObject ? new Set() : undefined, wantsKey: isObject, key: '', index: 0 });
        break;
      }
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        levels.pop();
        break;
      case COMMA:
        if (level === undefined) break;
        level.index += 1;
        level.wantsKey = level.keys !== undefined;
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        if (level?.wantsKey && !takeKey(level, text.slice(at, end + 1))) return { is: 'duplicate', at: pathOf(levels) };
        at = end;
      }
    }
  }
  return undefined;
}

/** The position of the closing quote; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at += 1;
  }
  return text.length;
}

/** Whether the key is the first with its name. `"a"` and `"\u0061"` are the same name. */
function takeKey(level: Level, quoted: string): boolean {
  level.wantsKey = false;
  level.key = unquoted(quoted);
  if (level.keys?.has(level.key)) return false;
  level.keys?.add(level.key);
  return true;
}

function unquoted(quoted: string): string {
  if (quoted.endsWith('"') && !quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

function pathOf(levels: readonly Level[]): string {
  return levels
    .map(({ keys, key, index }) => (keys === undefined ? `[${index}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
}
