/**
 * The `Link` header: other resources that belong to the requested one.
 *
 *     <https://hub.example/>; rel="hub", </feed.atom>; rel=self; type="application/atom+xml"
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc8288, 3 and appendix B
 */

import { canParseUrl } from '../primitives/can-parse-url.ts';

export interface HeaderLink {
  /** Absolute. */
  readonly target: string;
  /** In lower case. If a link has several `rel`, the first counts. */
  readonly rels: readonly string[];
  /** Absolute. The subject of the link, if it is not the requested resource. */
  readonly anchor?: string;
}

/** A longer header is ignored. */
const MAX_LENGTH = 16_384;
const MAX_LINKS = 100;
const MAX_RELATIONS = 10;

const BLANKS = /[ \t]*/y;
const COMMAS = /[ \t,]*/y;
const TARGET = /<([^<>"\s]*)>/y;
/** The semicolon before a parameter is sometimes missing. */
const SEMICOLON = /[ \t]*;?[ \t]*/y;
const NAME = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const EQUALS = /[ \t]*=[ \t]*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;
const BARE = /[^\s,;"]*/y;
/** Up to the comma after an unreadable part, ignoring commas in `<…>` and in quoted text. An unclosed quote extends to the end. */
const REST = /(?:<[^<>]*>|"(?:[^"\\]|\\.)*(?:"|\\?$)|[^,<"])*<?/y;

/**
 * The links of a header; several header lines are joined by commas. Malformed links are skipped, and later ones are read.
 *
 * @example
 * decodeLinkHeader('<https://hub.example/>; rel="hub"', 'https://a.example/feed');
 * // [{ target: 'https://hub.example/', rels: ['hub'] }]
 */
export function decodeLinkHeader(header: string, base: string): readonly HeaderLink[] {
  if (header.length > MAX_LENGTH) return [];
  const reader = new HeaderReader(header);
  const links: HeaderLink[] = [];
  for (reader.take(COMMAS); !reader.isAtEnd && links.length < MAX_LINKS; reader.take(COMMAS)) {
    const link = readLink(reader, base);
    if (link !== undefined) links.push(link);
    else reader.skip();
  }
  return links;
}

/** Undefined if it is malformed or has no valid target. */
function readLink(reader: HeaderReader, base: string): HeaderLink | undefined {
  const target = reader.take(TARGET);
  if (target === undefined) return undefined;
  const parameters = new Map<string, string>();
  for (;;) {
    reader.take(SEMICOLON);
    const name = reader.take(NAME)?.toLowerCase();
    if (name === undefined) break;
    const value = reader.take(EQUALS) === undefined ? '' : (reader.quoted() ?? reader.take(BARE) ?? '');
    if (!parameters.has(name)) parameters.set(name, value);
  }
  reader.take(BLANKS);
  if (!reader.isAtComma || !canParseUrl(target, base)) return undefined;
  const anchor = parameters.get('anchor');
  if (anchor !== undefined && !canParseUrl(anchor, base)) return undefined;
  return {
    target: new URL(target, base).href,
    rels: relationsIn(parameters.get('rel') ?? ''),
    ...(anchor !== undefined && { anchor: new URL(anchor, base).href }),
  };
}

function relationsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/, MAX_RELATIONS)
    .filter((rel) => rel !== '');
}

class HeaderReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  get isAtComma(): boolean {
    return this.isAtEnd || this.#text[this.#at] === ',';
  }

  /** The first capture group of the pattern, else the whole match. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found[1] ?? found[0];
  }

  quoted(): string | undefined {
    return this.take(QUOTED)?.replace(/\\(.)/g, '$1');
  }

  /** Always advances. */
  skip(): void {
    const before = this.#at;
    this.take(REST);
    if (this.#at === before) this.#at += 1;
  }
}
