/** A value of a structured field, as written. */
export interface FieldValue {
  readonly kind: 'token' | 'string' | 'number' | 'bytes' | 'boolean' | 'date' | 'display' | 'list';
  /** Without its parameters. */
  readonly text: string;
  /** The items of a list. */
  readonly items?: readonly FieldValue[];
  /** By name, in the order of the last occurrence of each; absent if there are none. */
  readonly parameters?: ReadonlyMap<string, FieldValue>;
}

/** A longer field is refused. */
const MAX_LENGTH = 16_384;

const KEY = /[a-z*][a-z0-9_.*-]*/y;
const SPACES = / */y;
const COMMA = /[ \t]*,[ \t]*/y;
const BARE: readonly (readonly [FieldValue['kind'], RegExp])[] = [
  ['token', /[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y],
  ['string', /"(?:[ !#-[\]-~]|\\["\\])*"/y],
  ['number', /-?(?:\d{1,12}\.\d{1,3}|\d{1,15})(?![\d.])/y],
  ['bytes', /:[A-Za-z0-9+/=]*:/y],
  ['boolean', /\?[01]/y],
  ['date', /@-?\d{1,15}(?![\d.])/y],
  ['display', /%"(?:[ !#$&-~]|%[0-9a-f]{2})*"/y],
];

/**
 * A dictionary of RFC 9651 by key, in the order of the last occurrence of each. Undefined if it is not valid to its last character:
 * then nothing of it counts.
 *
 * @example
 * parseDictionary('train-ai=n, search')?.get('train-ai'); // { kind: 'token', text: 'n' }
 */
export function parseDictionary(field: string): ReadonlyMap<string, FieldValue> | undefined {
  const text = field.replace(/^ +| +$/g, '');
  if (text.length > MAX_LENGTH) return undefined;
  const reader = new FieldReader(text);
  const found = new Map<string, FieldValue>();
  while (!reader.isAtEnd) {
    const member = reader.member();
    if (member === undefined) return undefined;
    found.delete(member.key);
    found.set(member.key, member.value);
    if (reader.isAtEnd) return found;
    if (reader.take(COMMA) === undefined || reader.isAtEnd) return undefined;
  }
  return found;
}

class FieldReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  member(): { readonly key: string; readonly value: FieldValue } | undefined {
    const key = this.take(KEY);
    if (key === undefined) return undefined;
    const value = this.#withParameters(this.#takesSign('=') ? this.#itemOrList() : TRUE);
    return value && { key, value };
  }

  #itemOrList(): FieldValue | undefined {
    const start = this.#at;
    if (!this.#takesSign('(')) return this.#bare();
    const items: FieldValue[] = [];
    for (;;) {
      this.take(SPACES);
      if (this.#takesSign(')')) return { kind: 'list', text: this.#text.slice(start, this.#at), items };
      const item = this.#withParameters(this.#bare());
      if (item === undefined) return undefined;
      items.push(item);
      if (this.#text[this.#at] !== ' ' && this.#text[this.#at] !== ')') return undefined;
    }
  }

  #bare(): FieldValue | undefined {
    for (const [kind, pattern] of BARE) {
      const text = this.take(pattern);
      if (text !== undefined) return { kind, text };
    }
    return undefined;
  }

  /** The value with its parameters; undefined if those are invalid. */
  #withParameters(value: FieldValue | undefined): FieldValue | undefined {
    if (value === undefined) return undefined;
    const parameters = new Map<string, FieldValue>();
    while (this.#takesSign(';')) {
      this.take(SPACES);
      const key = this.take(KEY);
      const said = this.#takesSign('=') ? this.#bare() : TRUE;
      if (key === undefined || said === undefined) return undefined;
      parameters.delete(key);
      parameters.set(key, said);
    }
    return parameters.size === 0 ? value : { ...value, parameters };
  }

  #takesSign(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }
}

/** A key without a value means true. */
const TRUE: FieldValue = { kind: 'boolean', text: '?1' };
