import type { JsonObject, JsonValue } from './wire.ts';

export interface JsonLimits {
  /** Characters. */
  readonly maxLength: number;
  readonly maxDepth: number;
}

/** Parses a JSON text. Undefined if it is not JSON or exceeds the limits. The value is safe to copy and to serialize again. */
export function parseJson(text: string, { maxLength, maxDepth }: JsonLimits): JsonValue | undefined {
  if (text.length > maxLength || isDeeperThan(text, maxDepth)) return undefined;
  try {
    return plain(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Replaces lone surrogates, which no encoding can represent, by U+FFFD. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Counts brackets outside strings. Runs before parsing, because later steps recurse. */
function isDeeperThan(text: string, maxDepth: number): boolean {
  let isDeeper = false;
  walkBrackets(text, (_, depth) => {
    isDeeper = depth > maxDepth;
    return !isDeeper;
  });
  return isDeeper;
}

/** The outermost objects and arrays in a text, ignoring anything between them. */
export function jsonSlices(text: string): string[] {
  const slices: string[] = [];
  let start = 0;
  walkBrackets(text, (at, depth, opens) => {
    if (opens && depth === 1) start = at;
    if (!opens && depth === 0) slices.push(text.slice(start, at + 1));
    return depth >= 0;
  });
  return slices;
}

/** Calls `visit` at each bracket outside strings with the depth after it, until it returns false. */
function walkBrackets(text: string, visit: (at: number, depth: number, opens: boolean) => boolean): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) {
      inString = true;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (!visit(at, depth, true)) return;
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
      if (!visit(at, depth, false)) return;
    }
  }
}

/** A copy without `__proto__` keys, numbers beyond range, minus zero and lone surrogates. */
function plain(value: unknown): JsonValue | undefined {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain).filter((item) => item !== undefined);
  if (typeof value !== 'object') return undefined;

  const members: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(value)) {
    const copy = key === '__proto__' ? undefined : plain(member);
    if (copy !== undefined) members.push([wellFormed(key), copy]);
  }
  return Object.fromEntries(members);
}
