/**
 * lists.json, beside pages.ndjson: which ResourceSync documents were written, and from what.
 *
 *     {"tidings":"lists/1","key":"…","sha256":"…","files":[["resourcesync/changelist.xml","application/xml; charset=utf-8"]],"kept":[]}
 *
 * It only saves time. Where it is lost, of another version, or does not fit what is in the folder, the documents are made again.
 */

import { hash } from 'node:crypto';
import type { NearPlace, Place } from '../folder.ts';
import { isClosedList } from '../resourcesync/paths.ts';
import type { ResourceSyncFiles, ResourceSyncOptions } from './resourcesync.ts';
import type { HeaderRule } from './static-host.ts';

export const LISTS_FILE = 'lists.json';
/** To be raised when other documents are made of the same site. */
const FORMAT = 'lists/1';

interface WrittenLists {
  readonly tidings: string;
  readonly key: string;
  /** Of all the files, one behind the other. */
  readonly sha256: string;
  /** Each with its media type. */
  readonly files: readonly (readonly [path: string, mediaType: string, cacheControl: string])[];
  /** Closed lists, which need only be there. */
  readonly kept: readonly (readonly [path: string, mediaType: string, cacheControl: string])[];
}

/** Two documents with the same key are the same: `pages` is pages.ndjson, whose first line has the digest of all pages. */
export function listsKey(pages: Uint8Array, lastId: string | undefined, options: ResourceSyncOptions): string {
  const head = pages.subarray(0, pages.indexOf(LINE_FEED));
  const { site, title, author, collections, listEntries, listBytes, sitemap } = options;
  const said = { site: site.href, title, author, collections, listEntries, listBytes, sitemap, lastId };
  return hash('sha256', `${FORMAT}\n${Buffer.from(head).toString()}\n${JSON.stringify(said)}`, 'base64url');
}

const LINE_FEED = 10;

export interface KeptLists {
  readonly files: ResourceSyncFiles;
  /** The file that says so. */
  readonly bytes: Uint8Array;
}

/** The documents as they are in `out`, when they are what they would be if they were made again. */
export async function keptLists(key: string, state: Place, out: NearPlace): Promise<KeptLists | undefined> {
  const bytes = await state.read(LISTS_FILE);
  const written = decode(bytes);
  if (bytes === undefined || written?.key !== key) return undefined;
  if (!written.kept.every(([path]) => (out.sizeOf(path) ?? 0) > 0)) return undefined;
  const found: Uint8Array[] = [];
  for (const [path] of written.files) {
    const file = await out.read(path);
    if (file === undefined) return undefined;
    found.push(file);
  }
  if (digestOf(found) !== written.sha256) return undefined;
  const rules = [...written.files, ...written.kept].map(
    ([path, mediaType, cacheControl]): HeaderRule => ({ path, mediaType, cacheControl }),
  );
  const paths = rules.map(({ path }) => path).toSorted();
  return { files: { files: [], rules: rules.toSorted(byPath), paths }, bytes };
}

/** The file that says what was written. */
export function encodeLists(key: string, { files, rules }: ResourceSyncFiles): Uint8Array {
  const open = files.filter(({ path }) => !isClosedList(path));
  const line = ({ path, mediaType, cacheControl }: HeaderRule) => [path, mediaType, cacheControl] as const;
  const written: WrittenLists = {
    tidings: FORMAT,
    key,
    sha256: digestOf(open.map(({ bytes }) => bytes)),
    files: open.map(line),
    kept: rules.filter(({ path }) => isClosedList(path)).map(line),
  };
  return Buffer.from(`${JSON.stringify(written)}\n`);
}

function decode(bytes: Uint8Array | undefined): WrittenLists | undefined {
  try {
    const written = JSON.parse(Buffer.from(bytes ?? []).toString()) as WrittenLists;
    return written.tidings === FORMAT && areLines(written.files) && areLines(written.kept) ? written : undefined;
  } catch {
    return undefined;
  }
}

function areLines(lines: unknown): boolean {
  const isLine = (line: unknown) =>
    Array.isArray(line) && line.length === 3 && line.every((part) => typeof part === 'string');
  return Array.isArray(lines) && lines.every(isLine);
}

function digestOf(files: readonly Uint8Array[]): string {
  return hash('sha256', files.map((bytes) => hash('sha256', bytes, 'base64url')).join('\n'), 'base64url');
}

function byPath(a: HeaderRule, b: HeaderRule): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}
