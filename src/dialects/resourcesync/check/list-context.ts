import type { Ledger, LedgerEntry } from '../../../codecs/primitives/ledger.ts';
import { isHttpUrl } from '../../../codecs/resourcesync/absolute-url.ts';
import { isOnSite } from '../../../fetch/same-site.ts';
import type { CheckParts } from '../../checker.ts';
import type { RawElement, RawHead } from './raw-document.ts';

/** The ledger for findings, and what is known about the site. */
export interface ListContext extends Pick<CheckParts, 'inflate' | 'listPages'> {
  readonly ledger: Ledger;
  readonly nowMs: number;
  /** The address of the site. Undefined if nothing in a folder names it. */
  readonly site: URL | undefined;
}

/** A document whose root is as it should be. */
export interface SeenList {
  /** The URL or the file name. */
  readonly where: string;
  /** The address by which other documents name it. */
  readonly url: string;
  readonly text: string;
  readonly head: RawHead;
  readonly isIndex: boolean;
}

/** Reports faults of one document. */
export type Tell = (
  line: number | undefined,
  fault: Omit<LedgerEntry, 'where' | 'line' | 'sort'> & { readonly sort: string },
) => void;

export function tellOf({ where }: Pick<SeenList, 'where'>, { ledger }: ListContext): Tell {
  return (line, fault) => ledger.note({ ...fault, where, line });
}

/** Whether an address is on another site than the checked one. */
export function isElsewhere(address: string, { site }: Pick<ListContext, 'site'>): boolean {
  return site !== undefined && !isOnSite(address, [site]);
}

const MAX_SHOWN = 120;

/** Foreign text on one line of bounded length. */
export function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}…` : line.toWellFormed();
}

/** A tag with one attribute corrected; undefined if the tag is too long to be shown whole. */
export function withAttribute({ written }: RawElement, name: string, value: string): string | undefined {
  if (!/^<[^…]*>$/.test(written)) return undefined;
  const escaped = value.replace(/[&<"]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&quot;');
  const present = new RegExp(`(\\s${name}\\s*=\\s*)(?:"[^"]*"|'[^']*')`);
  if (present.test(written)) return written.replace(present, (_, start: string) => `${start}"${escaped}"`);
  return written.replace(/\s*(\/?>)$/, (_, end: string) => ` ${name}="${escaped}"${end}`);
}

/** `has no "datetime"`, and the similar name that is there instead. */
export function lacking({ attributes }: RawElement, name: string): string {
  const near = [...attributes.keys()].find((each) => each.toLowerCase() === name);
  return near === undefined ? `has no "${name}"` : `has no "${name}" but "${near}": names are written in small letters`;
}

/** `Write: …`, or instructions in words. */
export function correction(line: string | undefined, words: string): string {
  return line === undefined ? words : `Write: ${line}`;
}

/** The first link with a relation. */
export function linkOf(lns: readonly RawElement[], rel: string): RawElement | undefined {
  return lns.find(({ attributes }) => attributes.get('rel') === rel);
}

/** An address in normal form, without a fragment. Undefined if it is not an http(s) URL. */
export function addressOf(text: string): string | undefined {
  if (!isHttpUrl(text)) return undefined;
  const url = new URL(text);
  url.hash = '';
  return url.href;
}
