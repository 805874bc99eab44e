import { attribute, type HtmlElement, textOf } from '../../extract/html-tree.ts';
import { parseHtml } from '../../extract/parse-html.ts';
import type { Metadata } from './harvested.ts';
import { plainLine } from './plain-line.ts';

const TITLES = ['title', 'name', 'headline', 'dc:title', 'dcterms:title', 'schema:name'];
const AUTHORS = ['author', 'creator', 'authors', 'dc:creator', 'dcterms:creator', 'schema:author'];
const AUTHOR_ELEMENTS = new Set(['author', 'creator', 'maker']);
/** Deeper ones and those behind so many are not looked at. */
const MAX_ELEMENTS = 20_000;
const CDATA = /<!\[CDATA\[([\s\S]*?)\]\]>/g;

/** The title and the author that a text names, in whatever format: JSON, HTML or XML. Formats are open (RS-U9). */
export function metadataIn(text: string): Metadata {
  const found = /^\ufeff?\s*[{[]/.test(text) ? fromJson(text) : fromMarkup(text);
  const title = plainLine(found.title ?? '');
  const author = plainLine(found.author ?? '');
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fromMarkup(text: string): Metadata {
  let title: string | undefined;
  let author: string | undefined;
  for (const element of elementsOf(parseHtml(text.replace(CDATA, asText)))) {
    const local = element.name.slice(element.name.indexOf(':') + 1).toLowerCase();
    if (local === 'title') title ??= textOf(element);
    else if (AUTHOR_ELEMENTS.has(local)) author ??= nameIn(element);
    else if (local === 'meta' && /^(?:dc\.)?(?:author|creator)$/i.test(attribute(element, 'name') ?? '')) {
      author ??= attribute(element, 'content');
    }
    if (title !== undefined && author !== undefined) break;
  }
  return { ...(title !== undefined && { title }), ...(author !== undefined && { author }) };
}

function nameIn(element: HtmlElement): string {
  for (const inner of elementsOf(element)) if (/(?:^|:)name$/i.test(inner.name)) return textOf(inner);
  return textOf(element);
}

function asText(_: string, text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function* elementsOf(root: HtmlElement): Generator<HtmlElement, void> {
  const waiting: HtmlElement[] = [root];
  for (let count = 0; count < MAX_ELEMENTS; count += 1) {
    const element = waiting.shift();
    if (element === undefined) return;
    yield element;
    for (const child of element.children) if (typeof child !== 'string') waiting.push(child);
  }
}
