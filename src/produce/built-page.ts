import { decodeHtml } from '../extract/decode-html.ts';
import { redirectTarget } from '../extract/redirect-target.ts';
import { encodePageRecord, type PageRecord } from '../log/pages-file.ts';
import { comparePage, declaredOf, finerChanges, readPage } from './compare-page.ts';
import { UNRULED } from './site-rules.ts';
import type { PageReading } from './site-source.ts';

export type BuiltPage =
  | ({ readonly is: 'page' } & Pick<PageReading, 'page' | 'html' | 'record' | 'changes' | 'finer'>)
  | { readonly is: 'redirect'; readonly target: string }
  | { readonly is: 'failed'; readonly message: string };

/** An HTML file with its hash. */
export interface BuiltFile {
  readonly bytes: Uint8Array;
  readonly file: string;
}

/** Parses a file of the built site and compares it with the known page. */
export function readBuiltPage(
  { bytes, file }: BuiltFile,
  url: string,
  known: PageRecord | undefined,
  rules = UNRULED,
): BuiltPage {
  const html = decodeHtml(bytes);
  if (!html.ok) return { is: 'failed', message: html.issues[0].message };
  const target = redirectTarget(html.value, url);
  if (target !== undefined) return { is: 'redirect', target };
  const modifiedMs = known?.file === file ? known.modifiedMs : undefined;
  const page = readPage(html.value, url, known, rules.now);
  const record = encodePageRecord({ file, bytes: bytes.length, modifiedMs }, page);
  const facts = { pageChecksum: page.checksum, ...declaredOf(html.value, known) };
  const found = comparePage(known, { page, html: html.value, file }, rules);
  const changes = found.map((change) => ({ ...change, ...facts }));
  const finer = finerChanges(known, page, found).map((change) => ({ ...change, ...facts }));
  return { is: 'page', page, html: html.value, record, changes, finer };
}
