import { isRecord } from '../../../codecs/primitives/json-record.ts';
import { shownText } from '../../../digest/shown-text.ts';
import { attribute, elementText, type HtmlElement } from '../../../extract/html-tree.ts';
import { parseHtml } from '../../../extract/parse-html.ts';
import type { Metadata } from './harvested.ts';

const TITLES = ['title', 'name', 'headline', 'dc:title', 'dcterms:title', 'schema:name'];
const AUTHORS = ['author', 'creator', 'authors', 'dc:creator', 'dcterms:creator', 'schema:author'];
const AUTHOR_ELEMENTS = new Set(['author', 'creator', 'maker']);
/** Elements after this number are not searched. */
const MAX_ELEMENTS = 20_000;
/** A document describes itself at its beginning. */
const MAX_MARKUP = 64 * 1024;
const MAX_LINE = 300;
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

/** The title and the author that a text names, as JSON, HTML or XML: the format is open (RS-U9). */
export function metadataIn(text: string): Metadata {
  const found = /^\ufeff?\s*[{[]/.test(text) ? fromJson(text) : fromMarkup(text);
  const title = shownText(found.title?.trim() ?? '', MAX_LINE);
  const author = shownText(found.author?.trim() ?? '', MAX_LINE);
  return { ...(title !== '' && { title }), ...(author !== '' && { author }) };
}

function fromJson(text: string): Metadata {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return {};
  }
  const graph = isRecord(value) && Array.isArray(value['@graph']) ? value['@graph'] : value;
  for (const candidate of [graph].flat()) {
    const title = firstText(candidate, TITLES);
    const author = firstText(candidate, AUTHORS);
    if (title !== undefined || author !== undefined) {
      return { ...(title !== undefined && { title }), ...(author !== undefined && { author }) };
    }
  }
  return {};
}

function firstText(value: unknown, keys: readonly string[]): string | undefined {
  if (!isRecord(value)) return undefined;
  for (const key of keys) {
    const text = Object.hasOwn(value, key) ? textIn(value[key]) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A text, a person with a name, a value with a language, or the first of several. */
function textIn(value: unknown): string | undefined {
  const [first] = [value].flat();
  if (typeof first === 'string') return first;
  if (!isRecord(first)) return undefined;
  const text = first.name ?? first['@value'];
  return typeof text === 'string' ? text : undefined;
}

function fromMarkup(text: string): Metadata {
  let title: string | undefined;
  let author: string | undefined;
  for (const element of elementsOf(parseHtml(withoutCdata(text.slice(0, MAX_MARKUP))))) {
    const local = element.name.slice(element.name.indexOf(':') + 1).toLowerCase();
    if (local === 'title') title ??= elementText(element);
    else if (AUTHOR_ELEMENTS.has(local)) author ??= nameIn(element);
    else if (local === 'meta' && /^(?:dc\.)?(?:author|creator)$/i.test(attribute(element, 'name') ?? '')) {
      author ??= attribute(element, 'content');
    }
    if (title !== undefined && author !== undefined) break;
  }
  return { ...(title !== undefined && { title }), ...(author !== undefined && { author }) };
}

function nameIn(element: HtmlElement): string {
  for (const inner of elementsOf(element)) if (/(?:^|:)name$/i.test(inner.name)) return elementText(inner);
  return elementText(element);
}

/** Turns CDATA sections into text that an HTML parser reads too. One pass; a section without an end is left unchanged. */
function withoutCdata(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(CDATA, from);
    const end = start === -1 ? -1 : text.indexOf(CDATA_END, start);
    if (end === -1) return pieces.join('') + text.slice(from);
    const inside = text.slice(start + CDATA.length, end);
    pieces.push(text.slice(from, start), inside.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
    from = end + CDATA_END.length;
  }
}

/** Breadth first. */
function* elementsOf(root: HtmlElement): Generator<HtmlElement, void> {
  const found: HtmlElement[] = [root];
  for (const element of found) {
    yield element;
    for (const child of element.children) {
      if (typeof child !== 'string' && found.length < MAX_ELEMENTS) found.push(child);
    }
  }
}
