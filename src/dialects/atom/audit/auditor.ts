import { decodeAtomFeed } from '../../../codecs/atom/decode-feed.ts';
import { stableId } from '../../../codecs/atom/stable-id.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { addressBelow, readAudited } from '../../audited-document.ts';
import type { AuditedFeed, FeedAuditor, ToldEvent } from '../../auditor.ts';
import type { DocumentSource } from '../../document-source.ts';

/**
 * Reads the feed of all changes and those of sources. They have one entry for each run, whose id comes from the last change of the
 * run.
 */
export const ATOM_AUDITOR: FeedAuditor = {
  async read(place, { sources, sinceMs }) {
    const whole = await readFeed(place, { path: 'changes.atom', sinceMs });
    if (whole === undefined) return [];
    const feeds: AuditedFeed[] = [whole];
    for (const id of sources) {
      const feed = await readFeed(place, { path: `atom/${id}.atom`, sinceMs, id });
      if (feed !== undefined) feeds.push(feed);
    }
    return feeds;
  },
};

/** The most archives that are read. */
const MAX_ARCHIVES = 500;

interface Wanted {
  readonly path: string;
  readonly sinceMs: number;
  readonly id?: string;
}

async function readFeed(place: DocumentSource, { path, sinceMs, id }: Wanted): Promise<AuditedFeed | undefined> {
  const told: ToldEvent[] = [];
  const seen = new Set<string>();
  let [where, site] = ['', ''];
  // Older than everything, if the feed is read to its end.
  let reachMs = Number.NEGATIVE_INFINITY;
  let next: string | undefined = addressBelow(place, path);
  while (next !== undefined) {
    const document = seen.has(next) ? undefined : await readAudited(place, next);
    seen.add(next);
    // An archive that is no longer kept. Its changes need not be in the feed.
    if (document === undefined) {
      if (where === '') return undefined;
      reachMs = oldestOf(told);
      break;
    }
    const feed = decodeAtomFeed(document.text, { url: linkBase(place, next) });
    if (!feed.ok) {
      const reason = `${document.where} is no Atom feed: ${feed.issues[0].message}`;
      throw new UnreadableTargetError(place.name, reason, 'retry-later');
    }
    if (where === '') [where, site] = [document.where, feed.value.url ?? ''];
    for (const { id: name, updatedMs } of feed.value.items) {
      told.push({ name, where: document.where, ...(updatedMs !== undefined && { timeMs: updatedMs }) });
    }
    next = feed.value.prevArchiveUrl;
    if (next !== undefined && (oldestOf(told) < sinceMs || seen.size > MAX_ARCHIVES)) {
      reachMs = oldestOf(told);
      break;
    }
  }
  return {
    where,
    told,
    mustTell: ({ endsRun, source, timeMs }) => endsRun && timeMs > reachMs && (id === undefined || source === id),
    namesOf: (change) => [stableId(change.source, 'run', change.id), stableId(site, 'changes', change.id)],
  };
}

/** The links of a file in a folder are absolute. */
function linkBase({ url }: DocumentSource, address: string): string {
  return new URL(address, url ?? 'http://folder/').href;
}

function oldestOf(told: readonly ToldEvent[]): number {
  return told.reduce((oldest, { timeMs = oldest }) => Math.min(oldest, timeMs), Number.POSITIVE_INFINITY);
}
