import { shorten } from '../primitives/shorten.ts';
import { isAbsoluteUrl } from './absolute-url.ts';
import { type PiecesAttributes, XLINK_TITLE } from './element-scope.ts';
import { ENTRY } from './issue.ts';
import { parseTimeSpan, type TimeSpan } from './time-span.ts';
import {
  type Attributes,
  CHANGE_KINDS,
  type Link,
  type ResourceMetadata,
  TEXT_ATTRIBUTES,
  TIME_ATTRIBUTES,
} from './wire.ts';

/** Reports a value that is left out. */
export type Report = (clause: string, message: string) => void;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const MAX_PRI = 999_999;
/** No empty segment, none that leads elsewhere, nothing that another system treats as a separator. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[^/\\:]+)+$/;
const NUMBER_ATTRIBUTES = ['length', 'pri'] as const;

/** An invalid `change` is left out without a report: a caller that needs one checks for it. */
export function readMetadata(attributes: PiecesAttributes, report: Report): ResourceMetadata<TimeSpan> {
  const md: Writable<ResourceMetadata<TimeSpan>> = {};
  for (const { name, value } of attributes) {
    const text = value.trim();
    if (name === 'change') {
      const change = CHANGE_KINDS.find((kind) => kind === value);
      if (change !== undefined) md.change = change;
    } else if (name === 'capability') {
      md.capability = copyOfText(text);
    } else {
      readValue(name, text, md, report);
    }
  }
  return md;
}

/** Undefined for a link without a relation or an absolute address. */
export function readLinkAttributes(attributes: PiecesAttributes, report: Report): Link<TimeSpan> | undefined {
  const link: Writable<Link<TimeSpan>> = { rel: '', href: '' };
  for (const { name, value } of attributes) {
    const text = value.trim();
    if (name === 'rel' || name === 'href') link[name] = copyOfText(text);
    else readValue(name, text, link, report);
  }
  if (link.rel === '' || link.href === '') {
    report(ENTRY, 'An rs:ln has no rel or no href; it is left out.');
    return undefined;
  }
  if (isAbsoluteUrl(link.href)) return link;
  report(ENTRY, `The href "${shorten(link.href)}" of an rs:ln is not an absolute URL; the link is left out.`);
  return undefined;
}

/**
 * Returns a separate copy. The parser returns views of the piece that it read, and keeping one would keep the whole piece in
 * memory.
 */
export function copyOfText(text: string): string {
  // Shorter strings are copies already.
  if (text.length < 13) return text;
  return ` ${text}`.slice(1);
}

type Reader = (text: string, values: Writable<Attributes<TimeSpan>>, report: Report) => void;

/** Other attributes are ignored, and so are those of other namespaces, except a title. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...TIME_ATTRIBUTES.map((name): [string, Reader] => [
    name,
    (text, values, report) => {
      const span = parseTimeSpan(copyOfText(text));
      if (span === undefined) report(ENTRY, `The ${name} "${shorten(text)}" is no time; it is left out.`);
      else values[name] = span;
    },
  ]),
  ...TEXT_ATTRIBUTES.map((name): [string, Reader] => [
    name,
    (text, values, report) => {
      if (name !== 'path' || PATH.test(text)) values[name] = copyOfText(text);
      else if (PATH.test(`/${text}`)) {
        values[name] = `/${text}`;
        report(ENTRY, `The path "${shorten(text)}" does not begin with a slash, as it must.`);
      } else report(ENTRY, `The path "${shorten(text)}" is not one inside of a package; it is left out.`);
    },
  ]),
  [
    XLINK_TITLE,
    (text, values) => {
      if (text !== '') values.title = copyOfText(text);
    },
  ],
  ...NUMBER_ATTRIBUTES.map((name): [string, Reader] => [
    name,
    (text, values, report) => {
      const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
      if (number >= 0 && (name === 'length' || (number >= 1 && number <= MAX_PRI))) values[name] = number;
      else report(ENTRY, `The ${name} "${shorten(text)}" is not a number that it may be; it is left out.`);
    },
  ]),
]);

function readValue(name: string, text: string, values: Writable<Attributes<TimeSpan>>, report: Report): void {
  READERS.get(name)?.(text, values, report);
}
