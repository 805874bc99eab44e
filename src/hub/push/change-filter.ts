/**
 * ChangeFilter: which changes a subscriber wants. Every field that it names must match; of several values of one field, one must.
 *
 *     { "source": ["docs"], "kind": ["page"], "action": ["update"], "path": ["/guide/**"], "anchor": ["install*"] }
 *
 * Globs are matched from left to right with little backtracking, so that no pattern costs more than its length times that of the path.
 */
import { matchesGlob, matchesWildcards, type PathGlob, pathOf, readPathGlob } from '../../extract/rules/path-glob.ts';
import type { Action, Change, Kind } from '../../model/change.ts';
import { decodeSectionsNote } from '../../model/sections-note.ts';
import { type Decode, fieldsOf, listOf, oneOf, refused, text } from '../config/setting-decoders.ts';

export interface ChangeFilter {
  /** Ids of sources. */
  readonly source?: readonly string[];
  readonly kind?: readonly Kind[];
  readonly action?: readonly Action[];
  /** Globs of paths, as in `ignore` rules: `/guide/**`. */
  readonly path?: readonly string[];
  /** Names of sections; `*` matches any characters and `?` one. */
  readonly anchor?: readonly string[];
}

export type FilteredChange = Pick<Change, 'source' | 'kind' | 'action' | 'url' | 'anchor' | 'note'>;

const MOST_VALUES = 20;
const MOST_CHARACTERS = 200;
const KINDS = ['page', 'endpoint'] as const;
const ACTIONS = ['create', 'update', 'delete'] as const;

const glob: Decode<string> = (value, at) => {
  const path = text(MOST_CHARACTERS)(value, at);
  if (!path.startsWith('/')) throw refused(at, value, 'A path begins with a slash, like /guide/**.');
  const read = readPathGlob(path);
  if (!read.ok) throw refused(at, value, read.issues[0]?.message ?? 'It is no path.');
  return path;
};

const anchor: Decode<string> = (value, at) => text(MOST_CHARACTERS)(value, at).replace(/^#/, '');

const SHAPE = {
  source: someOf(text(MOST_CHARACTERS)),
  kind: someOf(oneOf(KINDS)),
  action: someOf(oneOf(ACTIONS)),
  path: someOf(glob),
  anchor: someOf(anchor),
};

/** One value or a list of them, as JSON. Throws a SettingRefusedError that names what is wrong. */
export const decodeChangeFilter: Decode<ChangeFilter> = (value, at) => fieldsOf(SHAPE, value, at);

/** The same from a query, where commas separate values. */
export const FILTER_QUERY: Readonly<{ [Name in keyof typeof SHAPE]: Decode<ReturnType<(typeof SHAPE)[Name]>> }> = {
  source: (value, at) => SHAPE.source(listed(value), at),
  kind: (value, at) => SHAPE.kind(listed(value), at),
  action: (value, at) => SHAPE.action(listed(value), at),
  path: (value, at) => SHAPE.path(listed(value), at),
  anchor: (value, at) => SHAPE.anchor(listed(value), at),
};

/** The same text for equivalent filters. */
export function filterKey(filter: ChangeFilter): string {
  const { source, kind, action, path, anchor: anchors } = filter;
  return JSON.stringify([source, kind, action, path, anchors].map((values) => (values ? [...values].sort() : null)));
}

/** Makes a matcher. Call it once per filter: it compiles the globs. */
export function createChangeFilter(filter: ChangeFilter): (change: FilteredChange) => boolean {
  const { source, kind, action, anchor: anchors } = filter;
  const globs = filter.path?.flatMap(globOf);
  return (change) => {
    if (source !== undefined && !source.includes(change.source)) return false;
    if (kind !== undefined && !kind.includes(change.kind)) return false;
    if (action !== undefined && !action.includes(change.action)) return false;
    if (globs !== undefined && !isBelow(globs, change.url)) return false;
    return (
      anchors === undefined || namedAnchors(change).some((name) => anchors.some((one) => matchesWildcards(one, name)))
    );
  };
}

/** A change of a whole page counts as one of each section that it names. */
function namedAnchors({ anchor: name, note }: FilteredChange): readonly string[] {
  if (name !== undefined) return [name];
  const { changed = [], added = [], removed = [] } = decodeSectionsNote(note) ?? {};
  return [...changed, ...added, ...removed];
}

function isBelow(globs: readonly PathGlob[], url: string): boolean {
  const path = pathOf(url);
  return path !== undefined && globs.some((one) => matchesGlob(one, path));
}

function globOf(path: string): PathGlob[] {
  const read = readPathGlob(path);
  return read.ok ? [read.value] : [];
}

function listed(value: unknown): unknown {
  return typeof value === 'string' ? value.split(',') : value;
}

function someOf<T>(decode: Decode<T>): Decode<readonly T[]> {
  const many = listOf(decode, { least: 1, most: MOST_VALUES });
  return (value, at) => (Array.isArray(value) ? many(value, at) : [decode(value, at)]);
}
