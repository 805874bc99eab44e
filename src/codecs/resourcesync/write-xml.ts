import { formatTime } from '../primitives/time.ts';
import { isAbsoluteUrl, isHttpUrl } from './absolute-url.ts';
import { DocumentFlaw, ENTRY, FORM, shorten } from './issue.ts';
import {
  type Entry,
  type Head,
  type Link,
  type Metadata,
  RS_NAMESPACE,
  SITEMAP_NAMESPACE,
  TEXT_ATTRIBUTES,
  TIME_ATTRIBUTES,
} from './wire.ts';

/** The protocol of sitemaps asks for less than this. */
const MAX_LOC_LENGTH = 2048;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Up to the first entry. These functions throw a {@link DocumentFlaw} for what cannot be written. */
export function headText({ capability, isIndex, md, links }: Head<number>): string {
  const root = isIndex ? 'sitemapindex' : 'urlset';
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="${SITEMAP_NAMESPACE}" xmlns:rs="${RS_NAMESPACE}">`,
    ...links.map((link) => `  ${linkText(link)}`),
    `  ${metadataText({ ...md, capability })}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** In the order of the sitemap schema: `loc`, `lastmod`, then what is of other namespaces. */
export function entryText({ loc, lastmod, md, links }: Entry<number>, isIndex: boolean): string {
  const name = isIndex ? 'sitemap' : 'url';
  const own = metadataText(md);
  const lines = [
    `  <${name}>`,
    `    <loc>${escapeXml(checkLoc(loc))}</loc>`,
    ...(lastmod === undefined ? [] : [`    <lastmod>${timeText(lastmod)}</lastmod>`]),
    ...(own === '' ? [] : [`    ${own}`]),
    ...links.map((link) => `    ${linkText(link)}`),
    `  </${name}>`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Behind the last entry. */
export function endText(isIndex: boolean): string {
  return `</${isIndex ? 'sitemapindex' : 'urlset'}>\n`;
}

function checkLoc(loc: string): string {
  const isWhole = isHttpUrl(loc) && !/\s/.test(loc);
  if (!isWhole) throw new DocumentFlaw('RS-L9', `"${shorten(loc)}" is not an absolute http(s) URL.`);
  if (loc.length >= MAX_LOC_LENGTH) throw new DocumentFlaw('RS-L9', `An address is over ${MAX_LOC_LENGTH} characters.`);
  return loc;
}

/** Empty when there is nothing to say. */
function metadataText(md: Metadata<number>): string {
  const said = attribute('capability', md.capability) + attribute('change', md.change) + commonText(md);
  return said === '' ? '' : `<rs:md${said}/>`;
}

function linkText(link: Link<number>): string {
  if (link.rel.trim() === '' || !isAbsoluteUrl(link.href) || /\s/.test(link.href)) {
    throw new DocumentFlaw(ENTRY, `A link "${shorten(link.rel)}" to "${shorten(link.href)}" leads nowhere.`);
  }
  return `<rs:ln${attribute('rel', link.rel)}${attribute('href', link.href)}${number('pri', link.pri)}${commonText(link)}/>`;
}

function commonText(values: Omit<Metadata<number>, 'capability' | 'change'>): string {
  let text = '';
  for (const name of TIME_ATTRIBUTES) {
    const time = values[name];
    if (time !== undefined) text += ` ${name}="${timeText(time)}"`;
  }
  text += number('length', values.length);
  for (const name of TEXT_ATTRIBUTES) text += attribute(name, values[name]);
  return text;
}

/** Always in UTC: there are clients that read offsets with the wrong sign. */
function timeText(epochMs: number): string {
  try {
    return formatTime(epochMs);
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

/** For text and for attributes, which would lose their line breaks and tabs. */
function escapeXml(text: string): string {
  if (NOT_XML.test(text) || !text.isWellFormed()) {
    throw new DocumentFlaw(FORM, `"${shorten(text.toWellFormed())}" holds what XML cannot.`);
  }
  return text.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`);
}
