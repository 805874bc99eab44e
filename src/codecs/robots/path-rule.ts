import { createFinder, type Finder } from './finder.ts';
import { foldSlashes, normalPath } from './normal-path.ts';
import type { UrlPath } from './url-path.ts';

export interface PathRule {
  readonly allow: boolean;
  /** How specific the rule is: the octets of its pattern in normal form, `*` and `$` counted. */
  readonly octets: number;
  readonly pattern: Pattern;
  /** With `%2F` and `%3F` decoded where they may be in a query; the same as `pattern` if there are none. */
  readonly folded: Pattern;
}

/** `head*middle*…*tail$`: literals between stars. A pattern without a star has only a head. */
interface Pattern {
  readonly head: string;
  readonly middle: readonly Finder[];
  /** Undefined without a star, or without `$`: then anything may follow. */
  readonly tail: string | undefined;
  readonly hasStar: boolean;
  readonly toEnd: boolean;
}

/**
 * `path` is the value of an Allow or Disallow, not empty. RFC 9309 wants it to begin with `/`; of those that begin
 * otherwise, `*…` is used unchanged, a `Disallow` is read as if the slash were there, and an `Allow` matches nothing.
 */
export function readPathRule(allow: boolean, path: string): PathRule {
  const rooted = allow || /^[/*]/.test(path) ? path : `/${path}`;
  const toEnd = rooted.endsWith('$');
  // Split before decoding: `%2A` is a literal star, not a wildcard (RFC 9309 §2.2.3).
  const literals = (toEnd ? rooted.slice(0, -1) : rooted).split('*').map(normalPath);
  const pattern = patternOf(literals, toEnd);
  const folded = foldQuery(literals, allow);
  return {
    allow,
    octets: literals.reduce((octets, literal) => octets + literal.length, literals.length - 1 + Number(toEnd)),
    pattern,
    folded: folded.every((literal, n) => literal === literals[n]) ? pattern : patternOf(folded, toEnd),
  };
}

/** Whether matching may have to read the whole path, not only its beginning. */
export function searches({ pattern }: PathRule, path: UrlPath): boolean {
  return pattern.hasStar && path.asWritten.startsWith(pattern.head);
}

/** Takes time linear in the rule plus the path, for any input: no literal is searched twice in the same place. */
export function matchesPath({ pattern, folded }: PathRule, path: UrlPath): boolean {
  if (matches(pattern, path.asWritten)) return true;
  const sameAgain = folded === pattern && path.folded === path.asWritten;
  return !sameAgain && matches(folded, path.folded);
}

/** Takes each literal at its first position after the previous one: if any choice of positions matches, this one does. */
function matches({ head, middle, tail, hasStar, toEnd }: Pattern, path: string): boolean {
  if (!path.startsWith(head)) return false;
  if (!hasStar) return !toEnd || path.length === head.length;

  let at = head.length;
  for (const find of middle) {
    at = find(path, at);
    if (at === -1) return false;
  }
  return tail === undefined || (path.length - tail.length >= at && path.endsWith(tail));
}

function patternOf(literals: readonly string[], toEnd: boolean): Pattern {
  const [head = '', ...rest] = literals;
  const hasStar = rest.length > 0;
  const tail = toEnd ? rest.pop() : undefined;
  return { head, middle: rest.filter((literal) => literal !== '').map(createFinder), tail, hasStar, toEnd };
}

/**
 * After its first `?`, a pattern is about the query. After a `*` it may be: then a `Disallow` is read both ways, and an
 * `Allow` only as written.
 */
function foldQuery(literals: readonly string[], allow: boolean): string[] {
  let inQuery = false;
  return literals.map((literal, n) => {
    if (n > 0 && !allow) inQuery = true;
    const mark = inQuery ? 0 : literal.indexOf('?');
    if (mark === -1) return literal;
    inQuery = true;
    return literal.slice(0, mark) + foldSlashes(literal.slice(mark));
  });
}
