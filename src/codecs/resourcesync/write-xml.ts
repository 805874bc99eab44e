import { shorten } from '../primitives/shorten.ts';
import { formatTime } from '../primitives/time.ts';
import { isAbsoluteUrl, isHttpUrl, MAX_LOC_LENGTH } from './absolute-url.ts';
import { DocumentFlaw, ENTRY, FORM } from './issue.ts';
import {
  type Head,
  type Link,
  type ResourceEntry,
  type ResourceMetadata,
  RS_NAMESPACE,
  SITEMAP_NAMESPACE,
  XLINK_NAMESPACE,
} from './wire.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/**
 * The text up to the first entry. These functions throw a {@link DocumentFlaw} for what cannot be written. The namespace of titles
 * is declared only if there are any, so that other documents look as usual.
 */
export function headText({ capability, isIndex, md, links }: Head<number>, hasTitles: boolean): string {
  const root = isIndex ? 'sitemapindex' : 'urlset';
  const forTitles = hasTitles ? ` xmlns:xlink="${XLINK_NAMESPACE}"` : '';
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="${SITEMAP_NAMESPACE}" xmlns:rs="${RS_NAMESPACE}"${forTitles}>`,
    ...links.map((link) => `  ${linkText(link)}`),
    `  ${metadataText({ ...md, capability })}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** In the order of the sitemap schema: `loc`, `lastmod`, then elements of other namespaces. */
export function entryText({ loc, lastmod, md, links }: ResourceEntry<number>, isIndex: boolean): string {
  const name = isIndex ? 'sitemap' : 'url';
  let text = `  <${name}>\n    <loc>${escapeXml(checkLoc(loc))}</loc>\n`;
  if (lastmod !== undefined) text += `    <lastmod>${timeText(lastmod)}</lastmod>\n`;
  const own = metadataText(md);
  if (own !== '') text += `    ${own}\n`;
  for (const link of links) text += `    ${linkText(link)}\n`;
  return `${text}  </${name}>\n`;
}

/** Whether any part of a document has a title. */
export function hasTitles({ md, links }: Head<number>, entries: readonly ResourceEntry<number>[]): boolean {
  const isTitled = (part: { readonly md: ResourceMetadata<number>; readonly links: readonly Link<number>[] }) =>
    part.md.title !== undefined || part.links.some(({ title }) => title !== undefined);
  return isTitled({ md, links }) || entries.some(isTitled);
}

/** The text after the last entry. */
export function endText(isIndex: boolean): string {
  return `</${isIndex ? 'sitemapindex' : 'urlset'}>\n`;
}

function checkLoc(loc: string): string {
  const isWhole = isHttpUrl(loc) && !/\s/.test(loc);
  if (!isWhole) throw new DocumentFlaw('RS-L9', `"${shorten(loc)}" is not an absolute http(s) URL.`);
  if (loc.length >= MAX_LOC_LENGTH) throw new DocumentFlaw('RS-L9', `An address is over ${MAX_LOC_LENGTH} characters.`);
  return loc;
}

/** Empty if there is nothing to write. */
function metadataText(md: ResourceMetadata<number>): string {
  const said = attribute('capability', md.capability) + attribute('change', md.change) + commonText(md);
  return said === '' ? '' : `<rs:md${said}/>`;
}

function linkText(link: Link<number>): string {
  if (link.rel.trim() === '' || !isAbsoluteUrl(link.href) || /\s/.test(link.href)) {
    throw new DocumentFlaw(ENTRY, `A link "${shorten(link.rel)}" to "${shorten(link.href)}" leads nowhere.`);
  }
  return `<rs:ln${attribute('rel', link.rel)}${attribute('href', link.href)}${number('pri', link.pri)}${commonText(link)}/>`;
}

/** Each attribute by name: a list of names would take five times as long, and a large document has many. */
function commonText(values: Omit<ResourceMetadata<number>, 'capability' | 'change'>): string {
  let text = '';
  if (values.datetime !== undefined) text += time('datetime', values.datetime);
  if (values.from !== undefined) text += time('from', values.from);
  if (values.until !== undefined) text += time('until', values.until);
  if (values.at !== undefined) text += time('at', values.at);
  if (values.completed !== undefined) text += time('completed', values.completed);
  if (values.modified !== undefined) text += time('modified', values.modified);
  if (values.length !== undefined) text += number('length', values.length);
  if (values.hash !== undefined) text += attribute('hash', values.hash);
  if (values.type !== undefined) text += attribute('type', values.type);
  if (values.path !== undefined) text += attribute('path', values.path);
  if (values.encoding !== undefined) text += attribute('encoding', values.encoding);
  if (values.title !== undefined) text += attribute('xlink:title', values.title);
  return text;
}

function time(name: string, epochMs: number): string {
  return ` ${name}="${timeText(epochMs)}"`;
}

/** The last time that was written, cached: consecutive entries often share it, and formatting a time is the slowest step. */
let last = { epochMs: 0, text: formatTime(0) };

/** Always in UTC, because some clients read offsets with the wrong sign. */
function timeText(epochMs: number): string {
  if (epochMs === last.epochMs) return last.text;
  try {
    last = { epochMs, text: formatTime(epochMs) };
    return last.text;
  } catch {
    throw new DocumentFlaw(ENTRY, `${epochMs} is no time that can be written.`);
  }
}

function number(name: string, value: number | undefined): string {
  if (value === undefined) return '';
  if (!Number.isSafeInteger(value) || value < 0) throw new DocumentFlaw(ENTRY, `${value} is no ${name}.`);
  return ` ${name}="${value}"`;
}

function attribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeXml(value)}"`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Matches most texts: characters without a meaning in XML. */
const PLAIN = /^[ !#-%'-;=?-~]*$/;

/** For text and attributes, which would lose their line breaks and tabs. */
function escapeXml(text: string): string {
  if (PLAIN.test(text)) return text;
  if (NOT_XML.test(text) || !text.isWellFormed()) {
    throw new DocumentFlaw(FORM, `"${shorten(text.toWellFormed())}" holds what XML cannot.`);
  }
  return text.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`);
}
