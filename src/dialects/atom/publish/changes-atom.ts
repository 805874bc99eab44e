import { encodeAtomEntry } from '../../../codecs/atom/encode-entry.ts';
import { stableId } from '../../../codecs/atom/stable-id.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { digestEntry } from '../../../digest/digest-entry.ts';
import { archivedAtOnce, layOutFeed } from '../../../digest/feed-files.ts';
import { shownText } from '../../../digest/shown-text.ts';
import { type Run, runsOf } from '../../../log/runs-of.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { Change } from '../../../model/change.ts';
import { nameOfPlace } from '../../../model/name-of-place.ts';
import type { HeaderRule } from '../../../produce/static-host.ts';
import type { PublishedAtom } from './changes-atom-state.ts';

export interface ChangesAtomOptions {
  readonly site: URL;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  /** The hub of WebSub that pushes the feed. */
  readonly websub?: string | undefined;
  /** So many entries the feed holds before the older ones move to an archive. */
  readonly atomEntries?: number | undefined;
}

export interface ChangesAtomFiles {
  /** In the order in which they are to be written. */
  readonly files: readonly Artifact[];
  readonly rules: readonly HeaderRule[];
  readonly paths: readonly string[];
}

const MEDIA_TYPE = 'application/atom+xml';
const REVALIDATE = 'no-cache';
/** An archive never changes. */
const FOR_A_DAY = 'public, max-age=86400';
const MAX_ENTRIES = 100;
const MAX_NAME = 200;

/** `changes.atom`, and `changes-1.atom` for its oldest archive. */
export function changesAtomPath(archive?: number): string {
  return archive === undefined ? 'changes.atom' : `changes-${archive}.atom`;
}

export function feedIdOf(site: URL): string {
  return stableId(site.href, 'changes');
}

/** The id of a run's entry follows from its last change, which no other run has. */
export function entryIdOf(site: URL, { changes }: Run): string {
  return stableId(site.href, 'changes', changes.at(-1)?.id ?? '');
}

/**
 * The log as a feed for people: one entry for each publish that changed something. Entries that are published keep their bytes;
 * those of runs that have none yet are made. `changes` is the whole log.
 */
export function publishChangesAtom(
  published: PublishedAtom,
  changes: readonly Change[],
  options: ChangesAtomOptions,
): ChangesAtomFiles {
  const { site, atomEntries = MAX_ENTRIES, websub } = options;
  const place = nameOfPlace(site);
  const nameOr = (name: string | undefined, other: string) => shownText(name ?? '', MAX_NAME) || other;
  const lostIds = new Set(published.lost.flatMap(({ ids }) => ids));
  const texts = new Map<string, string>();
  for (const [number, run] of runsOf(changes).entries()) {
    const id = entryIdOf(site, run);
    if (published.archivedIds.has(id) && !lostIds.has(id)) continue;
    texts.set(id, published.entries.get(id) ?? entryText(run, { id, site, isFirst: number === 0 }));
  }
  const entries = Array.from(texts).flatMap(([id, text]) => (lostIds.has(id) ? [] : [text]));
  const { files, archived } = layOutFeed({
    head: {
      id: feedIdOf(site),
      title: `Changes of ${nameOr(options.title, place)}`,
      author: { name: nameOr(options.author, nameOr(options.title, place)) },
      url: site.href,
      ...(websub !== undefined && { hubUrls: [websub] }),
      generator: 'Tidings',
    },
    entries: entries.reverse(),
    archived: published.archived,
    lost: published.lost.map(({ number, ids }) => ({
      number,
      entries: ids.toReversed().map((id) => texts.get(id) ?? ''),
    })),
    maxEntries: atomEntries,
    pathOf: changesAtomPath,
    urlOf: (path) => new URL(path, site).href,
  });
  if (files.length === 0) return { files: [], rules: [], paths: [] };
  const made = files.map(({ path, text }) => ({ ...ruleOf(path), bytes: Buffer.from(text) }));
  const paths = [...Array.from({ length: archived }, (_, at) => changesAtomPath(at + 1)), changesAtomPath()];
  return { files: [...published.carried, ...made], rules: paths.map(ruleOf), paths };
}

/** How many archives a feed of so many entries becomes. */
export function newArchives(entries: number, { atomEntries = MAX_ENTRIES }: ChangesAtomOptions): number {
  return Math.max(0, Math.ceil((entries - atomEntries) / archivedAtOnce(atomEntries)));
}

export function ruleOf(path: string): HeaderRule {
  return { path, mediaType: MEDIA_TYPE, cacheControl: path === changesAtomPath() ? REVALIDATE : FOR_A_DAY };
}

function entryText(run: Run, { id, site, isFirst }: { id: string; site: URL; isFirst: boolean }): string {
  const entry = digestEntry(run.changes, {
    id,
    updatedMs: parseTime(run.time) ?? Number.NaN,
    url: site.href,
    isFirst,
    linkable: (url) => new URL(url).origin === site.origin,
  });
  const text = encodeAtomEntry(entry);
  if (!text.ok) throw new Error(`An entry cannot be written: ${text.issues[0].message}`);
  return text.value;
}
