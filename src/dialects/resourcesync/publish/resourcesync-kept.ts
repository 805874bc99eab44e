/**
 * lists.json, beside pages.ndjson: which ResourceSync documents were written, and from what.
 *
 *     {"tidings":"lists/2","key":"…","files":[["resourcesync/changelist.xml","application/xml; charset=utf-8","no-cache","…"]],"closed":[]}
 *
 * It only saves time. If it is lost, has another version, or does not fit the files in the folder, the documents are made again.
 */

import { hash } from 'node:crypto';
import type { HeaderRule } from '../../../model/artifact.ts';
import type { NearPlace, Place } from '../../../model/folder.ts';
import type { Projected } from '../../projection.ts';
import { byPath, isClosedList, isResourceListPart } from '../lists/paths.ts';
import { type ResourceSyncOptions, XML } from './resourcesync.ts';

export const LISTS_FILE = 'lists.json';
/** Raise it when the same site gives other documents. */
const FORMAT = 'lists/2';

type FileLine = readonly [path: string, mediaType: string, cacheControl: string, sha256: string];
type ClosedLine = readonly [path: string, bytes: number, sha256: string];

interface WrittenLists {
  readonly tidings: string;
  readonly key: string;
  readonly files: readonly FileLine[];
  /** Closed lists, which never change. */
  readonly closed: readonly ClosedLine[];
  /** Packages that the previous lists named: the next publish removes them. */
  readonly unlisted?: readonly string[] | undefined;
}

/** What the last publish wrote. */
export interface KnownLists extends WrittenLists {
  readonly bytes: Uint8Array;
  /** The closed lists that are unchanged in the folder. */
  readonly intact: ReadonlyMap<string, ClosedLine>;
}

/** Undefined if it is not known. */
export async function readLists(state: Place, out: NearPlace): Promise<KnownLists | undefined> {
  const bytes = await state.read(LISTS_FILE);
  const written = decode(bytes);
  if (bytes === undefined || written === undefined) return undefined;
  const intact = new Map<string, ClosedLine>();
  let room = READ_BYTES;
  for (const line of written.closed.toReversed()) {
    const [path, size, sha256] = line;
    if (out.sizeOf(path) !== size) continue;
    room -= size;
    if (room < 0 || digestOf((await out.read(path)) ?? new Uint8Array()) === sha256) intact.set(path, line);
  }
  return { ...written, bytes, intact };
}

export function pathsIn({ files, closed }: KnownLists): ReadonlySet<string> {
  return new Set([...files, ...closed].map(([path]) => path));
}

/** How many bytes of closed lists are compared with their hash each time. Of the others only the size is checked. */
const READ_BYTES = 32 * 1024 * 1024;

/** The same key means the same documents. `pages` is pages.ndjson, whose first line has the digest of all pages. */
export function listsKey(pages: Uint8Array, lastId: string | undefined, options: ResourceSyncOptions): string {
  const head = pages.subarray(0, pages.indexOf(LINE_FEED));
  const { site, title, author, collections, listEntries, listBytes, sitemap } = options;
  const said = { site: site.href, title, author, collections, listEntries, listBytes, sitemap, lastId };
  return hash('sha256', `${FORMAT}\n${Buffer.from(head).toString()}\n${JSON.stringify(said)}`, 'base64url');
}

const LINE_FEED = 10;

/** The documents in `out`, if making them again would give the same. */
export async function keptLists(key: string, known: KnownLists, out: NearPlace): Promise<Projected | undefined> {
  if (known.key !== key || known.intact.size < known.closed.length) return undefined;
  for (const [path, , , sha256] of known.files) {
    const file = await out.read(path);
    if (file === undefined || digestOf(file) !== sha256) return undefined;
  }
  const rules = [
    ...known.files.map(([path, mediaType, cacheControl]): HeaderRule => ({ path, mediaType, cacheControl })),
    ...known.closed.map(([path]) => ({ path, ...XML })),
  ];
  const paths = rules.map(({ path }) => path).toSorted();
  return { files: [], rules: rules.toSorted(byPath), paths };
}

/** The unchanged parts of the Resource Lists of a site that was published with this key. */
export async function listsBefore(
  key: string,
  known: KnownLists | undefined,
  out: NearPlace,
): Promise<ReadonlySet<string> | undefined> {
  if (known?.key !== key) return undefined;
  const documents = new Set<string>();
  for (const [path, , , sha256] of known.files) {
    const bytes = isResourceListPart(path) ? await out.read(path) : undefined;
    if (bytes !== undefined && digestOf(bytes) === sha256) documents.add(path);
  }
  return documents;
}

/** Parts of Resource Lists that were listed until now. */
export function unlistedParts(known: KnownLists | undefined, { paths }: Projected): readonly string[] {
  const listed = new Set(paths);
  return (known?.files ?? []).map(([path]) => path).filter((path) => isResourceListPart(path) && !listed.has(path));
}

/** The file that records what was written. */
export function encodeLists(
  key: string,
  { files, paths }: Projected,
  {
    intact,
    unlisted = [],
    files: before = [],
  }: Pick<KnownLists, 'intact' | 'unlisted'> & Partial<Pick<KnownLists, 'files'>>,
): Uint8Array {
  const open = files.filter(({ path }) => !isClosedList(path));
  const made = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const closed = paths.filter(isClosedList).flatMap((path): readonly ClosedLine[] => {
    const bytes = made.get(path);
    if (bytes !== undefined) return [[path, bytes.length, digestOf(bytes)]];
    const line = intact.get(path);
    return line === undefined ? [] : [line];
  });
  const kept = new Set(paths.filter((path) => !made.has(path) && !isClosedList(path)));
  const written: WrittenLists = {
    tidings: FORMAT,
    key,
    files: [
      ...before.filter(([path]) => kept.has(path)),
      ...open.map(
        ({ path, mediaType, cacheControl, bytes }): FileLine => [path, mediaType, cacheControl, digestOf(bytes)],
      ),
    ],
    closed,
    ...(unlisted.length > 0 && { unlisted }),
  };
  return Buffer.from(`${JSON.stringify(written)}\n`);
}

function decode(bytes: Uint8Array | undefined): WrittenLists | undefined {
  try {
    const written = JSON.parse(Buffer.from(bytes ?? []).toString()) as WrittenLists;
    const { tidings, files, closed, unlisted = [] } = written;
    const isWhole =
      areLines(files, ['string', 'string', 'string', 'string']) &&
      areLines(closed, ['string', 'number', 'string']) &&
      Array.isArray(unlisted) &&
      unlisted.every((path) => typeof path === 'string');
    return tidings === FORMAT && isWhole ? written : undefined;
  } catch {
    return undefined;
  }
}

function areLines(lines: unknown, types: readonly string[]): boolean {
  const isLine = (line: unknown) =>
    Array.isArray(line) && line.length === types.length && line.every((part, at) => typeof part === types[at]);
  return Array.isArray(lines) && lines.every(isLine);
}

function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url');
}
