import { canonicalJson } from '../../../codecs/primitives/canonical-json.ts';
import { compareCodePoints } from '../../../codecs/primitives/code-points.ts';
import type { ClauseLevel } from '../../../codecs/primitives/finding.ts';
import { shownValue } from './seen-surface.ts';

/** One way in which a JSON text differs from its canonical form. */
export interface CanonicalFault {
  readonly clause: string;
  /** Set where the fault is milder than its clause. */
  readonly level?: ClauseLevel;
  readonly seen: string;
}

interface Found {
  readonly clause: string;
  readonly level?: ClauseLevel;
  readonly what: string;
  readonly at: number;
}

/** An object or an array that is still open. */
interface Level {
  readonly isObject: boolean;
  wantsKey: boolean;
  key: string | undefined;
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;
const NUMBER = /[-+.0-9eE]+/y;
const WITH_SHORT_FORM: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);
const AROUND = 20;
/** Clauses that say SHOULD, not MUST. */
const MILD: ReadonlySet<string> = new Set(['AF-CJ7', 'AF-CJ8']);

/**
 * Lists how a JSON text differs from its canonical form (§30): first, if the clauses forbid it, that it differs at all, then each
 * kind of difference once. Numbers and a few escapes may be written in several ways.
 */
export function canonicalFaults(text: string): readonly CanonicalFault[] {
  const canonical = canonicalOf(text);
  if (canonical === text) return [];
  const found = walk(text);
  const isForbidden = found.some(({ clause, level }) => level === undefined && !MILD.has(clause));
  const difference = canonical === undefined ? 'It has no canonical form' : comparison(text, canonical);
  return [
    ...(isForbidden || found.length === 0 ? [{ clause: 'AF-EN9', seen: `${difference}.` }] : []),
    ...found.map(({ what, at, ...fault }) => ({ ...fault, seen: `${what} at character ${at + 1}.` })),
  ];
}

/** Undefined if the value has no canonical form. */
function canonicalOf(text: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function walk(text: string): Found[] {
  const found = new Map<string, Found>();
  const levels: Level[] = [];
  const tell = (fault: Found) => {
    const known = found.get(fault.clause);
    // Of two faults with the same clause, the more serious one counts.
    if (known === undefined || (known.level === 'MAY' && fault.level !== 'MAY')) found.set(fault.clause, fault);
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const level = levels.at(-1);
    if (sign === '{' || sign === '[') levels.push({ isObject: sign === '{', wantsKey: sign === '{', key: undefined });
    else if (sign === '}' || sign === ']') levels.pop();
    else if (sign === ',' && level !== undefined) level.wantsKey = level.isObject;
    else if (sign === '"') {
      const end = endOfString(text, at);
      const quoted = text.slice(at, end);
      tellEscapes(quoted, at, tell);
      if (level?.wantsKey) tellOrder(level, quoted, at, tell);
      at = end - 1;
    } else if (/[-0-9]/.test(sign)) {
      NUMBER.lastIndex = at;
      const [token = sign] = NUMBER.exec(text) ?? [];
      tellNumber(token, at, tell);
      at += token.length - 1;
    } else if (/\s/.test(sign)) tell({ clause: 'AF-CJ2', what: 'White space stands between tokens', at });
  }
  return [...found.values()];
}

type Tell = (fault: Found) => void;

function tellOrder(level: Level, quoted: string, at: number, tell: Tell): void {
  const key = String(JSON.parse(quoted));
  level.wantsKey = false;
  if (level.key !== undefined && compareCodePoints(level.key, key) > 0) {
    tell({ clause: 'AF-CJ1', what: `The key ${shownValue(key)} stands behind ${shownValue(level.key)}`, at });
  }
  level.key = key;
}

function tellEscapes(quoted: string, start: number, tell: Tell): void {
  if (!quoted.includes('\\')) return;
  for (const { 0: written, 1: hex, 2: letter, index } of quoted.matchAll(ESCAPE)) {
    const at = start + index;
    if (letter === '/') tell({ clause: 'AF-CJ3', level: 'MAY', what: 'A slash is escaped, which it need not be', at });
    if (hex === undefined) continue;
    const code = Number.parseInt(hex, 16);
    if (code > 0x9f) tell({ clause: 'AF-CJ4', what: `A character outside of ASCII is written as ${written}`, at });
    else if (code > 0x7e) tell({ clause: 'AF-CJ4', level: 'MAY', what: `A character is written as ${written}`, at });
    else if (code > 0x1f) tell({ clause: 'AF-CJ3', what: `A character is written as ${written} without need`, at });
    else if (WITH_SHORT_FORM.has(code)) {
      tell({ clause: 'AF-CJ3', what: `A control character with a short escape is written as ${written}`, at });
    } else if (hex !== hex.toLowerCase()) {
      tell({ clause: 'AF-CJ3', level: 'MAY', what: `${written} has upper-case digits`, at });
    }
  }
}

function tellNumber(token: string, at: number, tell: Tell): void {
  const value = Number(token);
  const number = shownValue(token);
  if (!Number.isFinite(value))
    tell({ clause: 'AF-CJ5', what: `The number ${number} is beyond what a double can hold`, at });
  else if (String(value) === token) return;
  else if (Number.isSafeInteger(value))
    tell({ clause: 'AF-CJ7', what: `The integer ${value} is written as ${number}`, at });
  else if (!Number.isInteger(value))
    tell({ clause: 'AF-CJ8', what: `The number ${value} is written as ${number}`, at });
  else if (/^-?\d{1,400}$/.test(token) && BigInt(token) !== BigInt(value)) {
    tell({ clause: 'AF-CJ6', what: `The integer ${number} decodes to another value`, at });
  }
}

/** The position after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at += 1;
  }
  return text.length;
}

function differenceOf(text: string, canonical: string): number {
  let at = 0;
  while (at < text.length && text[at] === canonical[at]) at += 1;
  return at;
}

function comparison(text: string, canonical: string): string {
  const at = differenceOf(text, canonical);
  const part = (whole: string) => shownValue(whole.slice(Math.max(0, at - AROUND), at + AROUND));
  return `It is not canonical JSON: ${part(text)} instead of ${part(canonical)} at character ${at + 1}`;
}
