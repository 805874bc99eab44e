import { decodeAtomFeed } from '../../codecs/atom/decode-feed.ts';
import { takeAtomEntries } from '../../codecs/atom/take-entries.ts';
import { ForeignFileError } from '../../errors/foreign-file-error.ts';
import { StateContradictionError } from '../../errors/state-contradiction-error.ts';
import type { Artifact } from '../../model/artifact.ts';
import type { Change } from '../../model/change.ts';
import { runsOf } from '../diffdelta/runs-of.ts';
import type { Place } from '../folder.ts';
import {
  type ChangesAtomOptions,
  changesAtomPath,
  ensureAtomSettings,
  entryIdOf,
  feedIdOf,
  newArchives,
  ruleOf,
} from './changes-atom.ts';

export interface AtomPlaces {
  readonly out: Place;
  readonly previous: Place | undefined;
  /** The site's own folder, which is often `out`. */
  readonly dir?: Place | undefined;
}

/** What is published of the feed: its entries keep their bytes. */
export interface PublishedAtom {
  /** Those of the feed itself, by id. */
  readonly entries: ReadonlyMap<string, string>;
  /** How many archives are whole, from the first one on. */
  readonly archived: number;
  /** The ids of what they hold. */
  readonly archivedIds: ReadonlySet<string>;
  /** Archives that the output folder does not have yet. */
  readonly carried: readonly Artifact[];
}

interface ReadFeed {
  readonly entries: readonly (readonly [id: string, text: string])[];
  /** How many archives it leads to. */
  readonly archived: number;
}

const REMEDY =
  'Give the --state that it was made with, or --previous with the live site, or move changes.atom and its archives away to begin a new feed.';
const MOVE_IT = 'Move it to another name, or leave atom out of --formats to publish without a feed for people.';
const ID_OF_ENTRY = /<id>([^<]+)<\/id>/;

/**
 * Reads only. A feed that was altered on its way, and archives that are lost, are made again from the log. A feed of somebody else
 * is refused, and so are entries that the log knows nothing of.
 */
export async function loadChangesAtom(
  places: AtomPlaces,
  changes: readonly Change[],
  options: ChangesAtomOptions,
): Promise<PublishedAtom> {
  ensureAtomSettings(options);
  const { out, previous, dir } = places;
  const { site } = options;
  if (dir !== undefined) await readFeed(dir, site);
  const own = await readFeed(out, site);
  const live = previous === undefined ? undefined : await readFeed(previous, site, { isLive: true });
  const known = new Set(runsOf(changes).map((run) => entryIdOf(site, run)));
  const entries = mergeEntries(
    [{ place: out, feed: own }, ...(previous ? [{ place: previous, feed: live }] : [])],
    known,
  );
  const count = Math.max(own?.archived ?? 0, live?.archived ?? 0);
  const archives = await findArchives(count, places, { site, known });
  // This publish may add one more run than the log has.
  const waiting = known.size - archives.archivedIds.size + 1;
  const last = archives.archived + newArchives(waiting, options);
  for (let number = archives.archived + 1; number <= last; number += 1) await refuseForeign(out, number, site);
  return { entries, ...archives };
}

/** Honest copies hold the same entries, and none that the log has no run for. */
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
        throw new StateContradictionError([fileOf(place), 'the log'], why, REMEDY);
      }
      if ((entries.get(id) ?? text) !== text) {
        throw new StateContradictionError(
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

/** From the first one on, up to one that is lost: what follows it is made again. */
async function findArchives(
  count: number,
  { out, previous }: AtomPlaces,
  { site, known }: { readonly site: URL; readonly known: ReadonlySet<string> },
): Promise<Pick<PublishedAtom, 'archived' | 'archivedIds' | 'carried'>> {
  const archivedIds = new Set<string>();
  const carried: Artifact[] = [];
  let archived = 0;
  for (; archived < count; archived += 1) {
    const path = changesAtomPath(archived + 1);
    const ofOut = await readArchive(out, path, site);
    const found = ofOut ?? (previous === undefined ? undefined : await readArchive(previous, path, site));
    if (found === undefined || !found.ids.every((id) => known.has(id))) break;
    for (const id of found.ids) archivedIds.add(id);
    if (ofOut === undefined) carried.push({ ...ruleOf(path), bytes: found.bytes });
  }
  return { archived, archivedIds, carried };
}

async function refuseForeign(out: Place, number: number, site: URL): Promise<void> {
  const path = changesAtomPath(number);
  const bytes = await out.read(path);
  if (bytes !== undefined && !isOurs(textOf(bytes), site)) throw new ForeignFileError(`${out.name}/${path}`, MOVE_IT);
}

async function readArchive(
  place: Place,
  path: string,
  site: URL,
): Promise<{ readonly ids: readonly string[]; readonly bytes: Uint8Array } | undefined> {
  const bytes = await place.read(path);
  if (bytes === undefined) return undefined;
  const text = textOf(bytes);
  const taken = isOurs(text, site) ? takeAtomEntries(text) : undefined;
  return taken?.ok ? { ids: taken.value.map(idOf), bytes } : undefined;
}

async function readFeed(place: Place, site: URL, { isLive = false } = {}): Promise<ReadFeed | undefined> {
  const path = changesAtomPath();
  const bytes = await place.read(path);
  if (bytes === undefined) return undefined;
  const text = textOf(bytes);
  if (!isOurs(text, site)) {
    // Some hosts answer every address with a page.
    if (isLive && !/<(?:feed|rss|rdf)\b/i.test(text)) return undefined;
    throw new ForeignFileError(`${place.name}/${path}`, MOVE_IT);
  }
  const taken = takeAtomEntries(text);
  const head = decodeAtomFeed(text);
  return {
    entries: taken.ok ? taken.value.map((entry) => [idOf(entry), entry] as const) : [],
    archived: head.ok ? archiveNumber(head.value.prevArchiveUrl, site) : 0,
  };
}

/** What a person or a program did to it since then does not make it somebody else's. */
function isOurs(text: string, site: URL): boolean {
  return text.includes(`<id>${feedIdOf(site)}</id>`);
}

function archiveNumber(url: string | undefined, site: URL): number {
  if (url?.startsWith(site.href) !== true) return 0;
  return Number(/^changes-([1-9]\d{0,8})\.atom$/.exec(url.slice(site.href.length))?.[1] ?? 0);
}

function idOf(entry: string): string {
  return ID_OF_ENTRY.exec(entry)?.[1] ?? '';
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
