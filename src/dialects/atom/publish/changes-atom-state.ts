import { atomEntryId, takeAtomEntries } from '../../../codecs/atom/take-entries.ts';
import { ForeignFileError } from '../../../errors/foreign-file-error.ts';
import { stateContradictionError } from '../../../errors/state-refusals.ts';
import { readIfThere } from '../../../log/read-if-there.ts';
import { runsOf } from '../../../log/runs-of.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { Change } from '../../../model/change.ts';
import type { Place } from '../../../model/folder.ts';
import { type ChangesAtomOptions, changesAtomPath, entryIdOf, feedIdOf, newArchives, ruleOf } from './changes-feed.ts';

export interface AtomPlaces {
  readonly out: Place;
  readonly previous: Place | undefined;
  /** The site's own folder, which is often `out`. */
  readonly dir?: Place | undefined;
}

/** What is published of the feed. Its entries keep their bytes. */
export interface PublishedAtom {
  /** The entries of the feed itself, by id. */
  readonly entries: ReadonlyMap<string, string>;
  /** How many archives there are, including lost ones. */
  readonly archived: number;
  /** The ids of their entries. */
  readonly archivedIds: ReadonlySet<string>;
  /** The archives to make again. No other archive changes. */
  readonly lost: readonly LostArchive[];
  /** Archives that the output folder does not have yet. */
  readonly carried: readonly Artifact[];
}

export interface LostArchive {
  readonly number: number;
  /** The ids of its entries, oldest first. */
  readonly ids: readonly string[];
}

interface ReadFeed {
  readonly entries: readonly (readonly [id: string, text: string])[];
  /** How many archives it leads to. */
  readonly archived: number;
}

const REMEDY =
  'Give the --state that it was made with, or --previous with the live site, or move changes.atom and its archives away to begin a new feed.';
const MOVE_IT = 'Move it to another name, or leave atom out of --formats to publish without a feed for people.';

/**
 * Only reads. A feed that was altered in transit, and lost archives, are made again from the log. A foreign feed is refused, and so
 * are entries that the log does not know.
 */
export async function loadChangesAtom(
  places: AtomPlaces,
  changes: readonly Change[],
  options: ChangesAtomOptions,
): Promise<PublishedAtom> {
  const { out, previous, dir } = places;
  const { site } = options;
  if (dir !== undefined) await readFeedText(dir, site);
  const own = await readFeed(out, site);
  const live = previous === undefined ? undefined : await readFeed(previous, site, { isLive: true });
  /** Oldest first. */
  const known = new Set(runsOf(changes).map((run) => entryIdOf(site, run)));
  const entries = mergeEntries(
    [{ place: out, feed: own }, ...(previous ? [{ place: previous, feed: live }] : [])],
    known,
  );
  const count = Math.max(own?.archived ?? 0, live?.archived ?? 0);
  const found = await findArchives(count, places, { site, known });
  const archives = withLost(found, [...known], entries);
  // This publish may add one more run than the log has.
  const waiting = known.size - archives.archivedIds.size + 1;
  const last = archives.archived + newArchives(waiting, options);
  for (const { number } of archives.lost) await refuseForeign(out, number, site);
  for (let number = archives.archived + 1; number <= last; number += 1) await refuseForeign(out, number, site);
  return { entries, ...archives };
}

/** Honest copies have the same entries, and none without a run in the log. */
function mergeEntries(
  copies: readonly { readonly place: Place; readonly feed: ReadFeed | undefined }[],
  known: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  const fileOf = (place: Place | undefined) => `${place?.name}/${changesAtomPath()}`;
  for (const { place, feed } of copies) {
    for (const [id, text] of feed?.entries ?? []) {
      if (!known.has(id)) {
        const why = 'the feed tells of changes that the log does not have.';
        throw stateContradictionError([fileOf(place), 'the log'], why, REMEDY);
      }
      if ((entries.get(id) ?? text) !== text) {
        throw stateContradictionError(
          [fileOf(copies[0]?.place), fileOf(place)],
          'they tell differently of the same changes.',
          'Keep the one that your followers have read (the live one) and move the other away.',
        );
      }
      entries.set(id, text);
    }
  }
  return entries;
}

interface FoundArchives extends Pick<PublishedAtom, 'carried'> {
  /** The ids in each archive, from the first on; undefined for one that no place has, or that is invalid. */
  readonly archives: readonly (readonly string[] | undefined)[];
}

/** All archives that the feed leads to, and later ones of a publish that was cut off or whose feed is lost. */
async function findArchives(
  count: number,
  { out, previous }: AtomPlaces,
  { site, known }: { readonly site: URL; readonly known: ReadonlySet<string> },
): Promise<FoundArchives> {
  const archives: (readonly string[] | undefined)[] = [];
  const carried: Artifact[] = [];
  for (;;) {
    const path = changesAtomPath(archives.length + 1);
    const isListed = archives.length < count;
    const ofOut = await readArchive(out, path, site);
    const found = ofOut ?? (previous && isListed ? await readArchive(previous, path, site) : undefined);
    const ids = found?.ids.every((id) => known.has(id)) ? found.ids : undefined;
    if (ids === undefined && !isListed) return { archives, carried };
    archives.push(ids);
    if (found !== undefined && ids !== undefined && ofOut === undefined)
      carried.push({ ...ruleOf(path), bytes: found.bytes });
  }
}

/**
 * A lost archive held the runs between those of its neighbours; the feed is the neighbour of the last one. Adjacent lost archives
 * share the runs evenly, as they did unless one was written with another limit.
 */
function withLost(
  { archives, carried }: FoundArchives,
  known: readonly string[],
  feed: ReadonlyMap<string, string>,
): Omit<PublishedAtom, 'entries'> {
  const archivedIds = new Set(archives.flatMap((ids) => ids ?? []));
  const lost: LostArchive[] = [];
  let archived = archives.length;
  for (let first = 0; first < archives.length; first += 1) {
    if (archives[first] !== undefined) continue;
    let end = first + 1;
    while (end < archives.length && archives[end] === undefined) end += 1;
    const before = first === 0 ? -1 : Math.max(...(archives[first - 1] ?? []).map((id) => known.indexOf(id)));
    const next = archives[end];
    const isAfter = next === undefined ? (id: string) => feed.has(id) : (id: string) => next.includes(id);
    const after = known.findIndex((id, at) => at > before && isAfter(id));
    const between = after === -1 ? [] : known.slice(before + 1, after);
    if (between.length < end - first) {
      // It is no longer known what they held. Runs that the feed does not have either go into new archives.
      if (next === undefined) archived = first;
      first = end;
      continue;
    }
    for (let at = first; at < end; at += 1) {
      const [from, to] = [at, at + 1].map((edge) => Math.floor(((edge - first) * between.length) / (end - first)));
      lost.push({ number: at + 1, ids: between.slice(from, to) });
    }
    first = end;
  }
  for (const { ids } of lost) for (const id of ids) archivedIds.add(id);
  return { archived, archivedIds, lost, carried };
}

async function refuseForeign(out: Place, number: number, site: URL): Promise<void> {
  const path = changesAtomPath(number);
  const bytes = await out.read(path);
  if (bytes !== undefined && bytes.length > 0 && !isOurs(utf8Text(bytes), site))
    throw new ForeignFileError(`${out.name}/${path}`, MOVE_IT);
}

async function readArchive(
  place: Place,
  path: string,
  site: URL,
): Promise<{ readonly ids: readonly string[]; readonly bytes: Uint8Array } | undefined> {
  const bytes = await readIfThere(place, path);
  // Empty files are ignored.
  if (bytes === undefined || bytes.length === 0) return undefined;
  const text = utf8Text(bytes);
  const taken = isOurs(text, site) ? takeAtomEntries(text) : undefined;
  return taken?.ok ? { ids: taken.value.map(atomEntryId), bytes } : undefined;
}

async function readFeed(place: Place, site: URL, { isLive = false } = {}): Promise<ReadFeed | undefined> {
  const text = await readFeedText(place, site, { isLive });
  if (text === undefined) return undefined;
  const taken = takeAtomEntries(text);
  return {
    entries: taken.ok ? taken.value.map((entry) => [atomEntryId(entry), entry] as const) : [],
    archived: archivesBehind(text),
  };
}

/** The text of the feed, not parsed. A foreign feed is refused. */
async function readFeedText(place: Place, site: URL, { isLive = false } = {}): Promise<string | undefined> {
  const path = changesAtomPath();
  const bytes = await readIfThere(place, path);
  // Empty files are ignored.
  if (bytes === undefined || bytes.length === 0) return undefined;
  const text = utf8Text(bytes);
  if (!isOurs(text, site)) {
    // Some hosts answer every address with a page.
    if (isLive && !/<(?:feed|rss|rdf)\b/i.test(text)) return undefined;
    throw new ForeignFileError(`${place.name}/${path}`, MOVE_IT);
  }
  return text;
}

/** A feed that a person or a program has edited since is still ours. */
function isOurs(text: string, site: URL): boolean {
  return text.includes(`<id>${feedIdOf(site)}</id>`);
}

/** Also works if another program has rewritten the tags of our feed. */
function archivesBehind(text: string): number {
  const [link = ''] = /<link\b[^<>]*\brel=["']prev-archive["'][^<>]*>/.exec(text) ?? [];
  return Number(/\/changes-([1-9]\d{0,8})\.atom["']/.exec(link)?.[1] ?? 0);
}

function utf8Text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
