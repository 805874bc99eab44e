import { type Issue, type Result, refuse } from '../primitives/result.ts';
import { formatTime } from '../primitives/time.ts';
import { collapsedText, escapeXml } from '../primitives/xml-escape.ts';
import { strictHttpUrl } from './http-url.ts';
import type { AtomPerson } from './wire.ts';

/** An absolute IRI with only the characters that RFC 3987 allows. */
const IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`\p{Cc}\p{Cs}\p{Co}\ufffe\uffff]+$/u;
const LANGUAGE_TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;
const MAX_ID_LENGTH = 2048;
/** XML Schema has no year 0. */
const MIN_MS = -62_135_596_800_000; // 0001-01-01T00:00:00Z
const MAX_MS = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z

/** Elements in order, each on its own line, and what is wrong with them. */
export class ElementLines {
  readonly #indent: string;
  #text = '';
  readonly #issues: Issue[] = [];

  constructor(indent: string) {
    this.#indent = indent;
  }

  add(line: string): void {
    this.#text += `${this.#indent}${line}\n`;
  }

  /** Ids are compared character by character, so they are never repaired. */
  id(id: string): void {
    if (id.length > MAX_ID_LENGTH || !IRI.test(id) || /%(?![0-9A-Fa-f]{2})/.test(id)) {
      this.refuse('RFC4287-4.2.6', `The id "${id.slice(0, 200)}" is not an absolute IRI.`);
    }
    this.add(`<id>${escapeXml(id)}</id>`);
  }

  /** Text on one line; must not be blank. */
  line(name: 'title' | 'subtitle', text: string): void {
    if (collapsedText(text) === '') this.refuse('RFC4287-4.2.14', `The ${name} is blank.`);
    this.add(`<${name}>${escapeXml(collapsedText(text))}</${name}>`);
  }

  time(name: 'updated' | 'published', epochMs: number): void {
    if (epochMs >= MIN_MS && epochMs <= MAX_MS) this.add(`<${name}>${formatTime(epochMs)}</${name}>`);
    else this.refuse('RFC4287-3.3', `The time ${epochMs} cannot be written.`);
  }

  author({ name, url }: AtomPerson): void {
    const uri = url === undefined ? undefined : this.#url(url);
    if (collapsedText(name) === '') this.refuse('RFC4287-3.2.1', 'The name of the author is blank.');
    const address = uri === undefined ? '' : `<uri>${escapeXml(uri)}</uri>`;
    this.add(`<author><name>${escapeXml(collapsedText(name))}</name>${address}</author>`);
  }

  link(rel: string, url: string, type?: string): void {
    const href = this.#url(url) ?? '';
    const media = type === undefined ? '' : ` type="${type}"`;
    this.add(`<link rel="${rel}"${media} href="${escapeXml(href)}"/>`);
  }

  language(tag: string): string {
    if (!LANGUAGE_TAG.test(tag)) this.refuse('RFC4287-2', `"${tag.slice(0, 50)}" is not a language tag.`);
    return ` xml:lang="${escapeXml(tag)}"`;
  }

  refuse(clause: string, message: string): void {
    this.#issues.push({ clause, message });
  }

  finish(make: (lines: string) => string): Result<string> {
    const [first, ...others] = this.#issues;
    if (first === undefined) return { ok: true, value: make(this.#text) };
    return others.length === 0 ? refuse(first.clause, first.message) : { ok: false, issues: [first, ...others] };
  }

  #url(text: string): string | undefined {
    const url = strictHttpUrl(text);
    if (url === undefined) this.refuse('RFC4287-4.2.7', `"${text.slice(0, 200)}" is not an absolute http(s) URL.`);
    return url;
  }
}
