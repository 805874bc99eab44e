import { encodeAtomEntry } from '../../../codecs/atom/encode-entry.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { digestEntry } from '../../../digest/digest-entry.ts';
import { layOutFeed } from '../../../digest/feed-files.ts';
import { shownText } from '../../../digest/shown-text.ts';
import { type Run, runsOf } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import { nameOfPlace } from '../../../model/name-of-place.ts';
import { withHubLinks } from '../../hub-links.ts';
import { NOTHING, type Projected } from '../../projection.ts';
import type { PublishedAtom } from './changes-atom-state.ts';
import {
  type ChangesAtomOptions,
  changesAtomPath,
  entryIdOf,
  feedIdOf,
  MAX_ATOM_ENTRIES,
  ruleOf,
} from './changes-feed.ts';

const MAX_NAME = 200;

/**
 * The log as a feed for people: one entry for each publish that changed something. Published entries keep their bytes; only entries
 * of new runs are made. `changes` is the whole log.
 */
export function publishChangesAtom(
  published: PublishedAtom,
  changes: readonly Change[],
  options: ChangesAtomOptions,
): Projected {
  const { site, atomEntries = MAX_ATOM_ENTRIES, websub } = options;
  const place = nameOfPlace(site);
  const nameOr = (name: string | undefined, other: string) => shownText(name ?? '', MAX_NAME) || other;
  const lostIds = new Set(published.lost.flatMap(({ ids }) => ids));
  const texts = new Map<string, string>();
  for (const [number, run] of runsOf(changes).entries()) {
    const id = entryIdOf(site, run);
    if (published.archivedIds.has(id) && !lostIds.has(id)) continue;
    texts.set(id, published.entries.get(id) ?? atomEntryText(run, { id, site, isFirst: number === 0 }));
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
  if (files.length === 0) return NOTHING;
  const made = files.map(({ path, text }) => ({ ...ruleOf(path), bytes: Buffer.from(text) }));
  const paths = [...Array.from({ length: archived }, (_, at) => changesAtomPath(at + 1)), changesAtomPath()];
  const rules = withHubLinks(paths.map(ruleOf), changesAtomPath(), { site, ...(websub !== undefined && { websub }) });
  return { files: [...published.carried, ...made], rules, paths };
}

/** The entry of a run, from the log as it is now. */
export function atomEntryText(run: Run, { id, site, isFirst }: { id: string; site: URL; isFirst: boolean }): string {
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
