import { decodeDiffDeltaDiscovery } from '../../../codecs/diffdelta/decode-discovery.ts';
import { type DecodedDiffDeltaFeed, decodeDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import { DIFFDELTA_DISCOVERY_PATH } from '../../../codecs/diffdelta/wire.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { type AuditedDocument, addressBelow, readAudited, readLinked } from '../../audited-document.ts';
import type { AuditedFeed, FeedAuditor, ToldEvent } from '../../auditor.ts';
import type { DocumentSource } from '../../document-source.ts';

/**
 * Reads the feed of all sources, the feeds of single sources, and the archives they lead to. An item stands for one page in one
 * run.
 */
export const DIFFDELTA_AUDITOR: FeedAuditor = {
  async read(place, { sources, sinceMs }) {
    const manifest = await readAudited(place, addressBelow(place, DIFFDELTA_DISCOVERY_PATH.slice(1)));
    if (manifest === undefined) return [];
    const discovery = decodeDiffDeltaDiscovery(manifest.text);
    if (!discovery.ok) throw unreadable(place, manifest, discovery.issues[0].message);
    const { diff_latest: latest, diff_by_source_template: template } = discovery.value.endpoints;
    const feeds: AuditedFeed[] = [];
    if (latest !== undefined) feeds.push(await readFeed(place, { address: latest, sinceMs }));
    const offered = new Set(discovery.value.sources_supported);
    for (const id of sources) {
      if (template === undefined || !offered.has(id)) continue;
      feeds.push(await readFeed(place, { address: template.replace('{source}', encodeURIComponent(id)), sinceMs, id }));
    }
    return feeds;
  },
};

/** The most archives that are read. */
const MAX_ARCHIVES = 1000;

interface Wanted {
  readonly address: string;
  readonly sinceMs: number;
  readonly id?: string;
}

async function readFeed(place: DocumentSource, { address, sinceMs, id }: Wanted): Promise<AuditedFeed> {
  const latest = await readLinked(place, address);
  const told: ToldEvent[] = [];
  let reachMs = Number.NEGATIVE_INFINITY;
  let [document, at]: [AuditedDocument | undefined, string] = [latest, address];
  for (let count = 0; document !== undefined; count += 1) {
    const feed = decodeDiffDeltaFeed(document.text, urlOf(place, at));
    if (!feed.ok) throw unreadable(place, document, feed.issues[0].message);
    told.push(...itemsOf(feed.value, document.where));
    // The newest run is archived, too. From there on, each archive names the one before it.
    const next: string | undefined =
      count === 0 ? (feed.value.archive_url ?? feed.value.prev_archive_url) : feed.value.prev_archive_url;
    if (next === undefined) break;
    const generatedMs = parseTime(feed.value.generated_at ?? '') ?? Number.POSITIVE_INFINITY;
    at = urlOf(place, at) === undefined ? next : new URL(next, urlOf(place, at)).href;
    document = generatedMs < sinceMs || count >= MAX_ARCHIVES ? undefined : await readAudited(place, at);
    // Changes before an archive that was not read, or is not kept, need not be in the feed.
    if (document === undefined) reachMs = generatedMs;
  }
  return {
    where: latest.where,
    told,
    mustTell: (change) =>
      change.kind === 'page' && change.timeMs > reachMs && (id === undefined || change.source === id),
  };
}

function itemsOf({ buckets }: DecodedDiffDeltaFeed, where: string): ToldEvent[] {
  const items = [...buckets.new, ...buckets.updated, ...buckets.flagged, ...buckets.removed, ...buckets.items];
  return items.flatMap(({ source, url, id, provenance: { fetched_at: time = '' } }) => {
    const timeMs = parseTime(time);
    // An endpoint may move several times in a run. Its id is not a URL and does not identify one change.
    if (url === undefined || timeMs === undefined || id !== url) return [];
    return [{ source, url, timeMs, where }];
  });
}

function urlOf({ url }: DocumentSource, address: string): URL {
  return new URL(address, url ?? 'http://folder/');
}

function unreadable(place: DocumentSource, { where }: AuditedDocument, message: string): UnreadableTargetError {
  return new UnreadableTargetError(place.name, `${where} is no document of DiffDelta: ${message}`, 'retry-later');
}
