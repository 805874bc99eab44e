import { sha256 } from '../../codecs/diffdelta/cursor.ts';
import type { DiffDeltaItem, ItemContent, ItemRisk, ItemSection } from '../../codecs/diffdelta/wire.ts';
import { canonicalJson } from '../../codecs/primitives/canonical-json.ts';
import { groupBy } from '../../codecs/primitives/group-by.ts';
import { parseTime } from '../../codecs/primitives/time.ts';
import type { Change } from '../../model/change.ts';
import { wireTime } from './wire-time.ts';

/** What must be remembered of an item to say later what a change does to it. */
export interface ItemRecord {
  /** As it was published last. */
  readonly item: DiffDeltaItem;
  readonly isRemoved: boolean;
}

export type Nature = 'new' | 'updated' | 'removed';

/** An item as a run leaves it. */
export interface RunItem extends ItemRecord {
  readonly nature: Nature;
}

/**
 * The items of one run of a source: one for each page that its changes name.
 *
 * A pure function of the changes and of what is remembered; neither the order in which pages were found nor the ids and
 * places in the log have a say (DD-K13).
 */
export function itemsOfRun(
  changes: readonly Change[],
  recordOf: (id: string) => ItemRecord | undefined,
): readonly RunItem[] {
  return Array.from(
    groupBy(changes, ({ url }) => url),
    ([url, ofPage]) => itemOf(url, ofPage, recordOf(url)),
  );
}

function itemOf(url: string, changes: readonly Change[], known: ItemRecord | undefined): RunItem {
  const last = changes.at(-1);
  if (last === undefined) throw new Error('A group has a member.');
  const isRemoved = last.action === 'delete' && last.anchor === undefined;
  const live = known?.isRemoved === false ? known : undefined;
  const nature = isRemoved ? 'removed' : live === undefined ? 'new' : 'updated';
  const content = isRemoved ? (known?.item.content ?? {}) : contentOf(changes);
  const revision = (known?.item.provenance.revision ?? 0) + 1;
  const risk = isRemoved ? undefined : riskOf(last);
  const item: DiffDeltaItem = {
    source: last.source,
    id: url,
    url,
    published_at: publishedAt(changes, known),
    updated_at: updatedAt(last, publishedAt(changes, known)),
    headline: changes.findLast(({ title }) => title !== undefined)?.title ?? known?.item.headline ?? url,
    content,
    provenance: {
      content_hash: isRemoved
        ? tombstoneHash(known?.item.provenance.content_hash)
        : contentHash({ url, content, revision }),
      fetched_at: wireTime(last.time),
      evidence_urls: [url],
      revision,
    },
    ...(risk !== undefined && { risk }),
  };
  return { item, isRemoved, nature };
}

/** It covers the URL, and a count that only rises, so that no cursor ever comes back (T-DD-3, T-DD-6). */
export function contentHash(facts: {
  readonly url: string;
  readonly content: ItemContent;
  readonly revision: number;
}): string {
  const { url, content, revision } = facts;
  return sha256(canonicalJson({ url, content, revision }));
}

/** Differs from that of every item that is there (T-DD-2). */
export function tombstoneHash(last: string | undefined): string {
  return sha256(canonicalJson({ removed: true, last: last ?? null }));
}

/** What the run says of a page: the page itself where that changed, and each section that did. */
function contentOf(changes: readonly Change[]): ItemContent {
  const alive = changes.filter(({ action, anchor }) => action !== 'delete' || anchor !== undefined);
  const page = alive.findLast(({ anchor }) => anchor === undefined);
  const sections = [...new Map(alive.map((change) => [change.anchor, change])).values()].flatMap(sectionOf);
  const excerpt = page?.excerpt ?? sections.find(({ excerpt_text }) => excerpt_text !== undefined)?.excerpt_text;
  const checksum = page?.checksum ?? pageChecksum(changes);
  return {
    ...(excerpt !== undefined && { excerpt_text: excerpt }),
    ...(checksum !== undefined && { checksum }),
    ...(sections.length > 0 && { sections }),
  };
}

function sectionOf({ anchor, action, checksum, excerpt }: Change): ItemSection[] {
  if (anchor === undefined) return [];
  return [
    {
      anchor,
      action,
      ...(checksum !== undefined && { checksum }),
      ...(excerpt !== undefined && { excerpt_text: excerpt }),
    },
  ];
}

function pageChecksum(changes: readonly Change[]): string | undefined {
  return changes.findLast(({ provenance }) => provenance.pageChecksum !== undefined)?.provenance.pageChecksum;
}

/** DD-I6: what is harmless is not said to be so. */
function riskOf({ risk = 0, riskReasons = [] }: Change): ItemRisk | undefined {
  if (risk === 0 && riskReasons.length === 0) return undefined;
  return { score: risk, ...(riskReasons.length > 0 && { reasons: riskReasons }) };
}

/** The date that its origin declared, else when it was first seen; once said it stays (T-DD-14). */
function publishedAt(changes: readonly Change[], known: ItemRecord | undefined): string {
  if (known !== undefined) return known.item.published_at;
  const [first] = changes;
  if (first === undefined) throw new Error('A group has a member.');
  return believable(first) ?? wireTime(first.time);
}

function updatedAt(last: Change, published: string): string {
  const updated = believable(last) ?? wireTime(last.time);
  return updated < published ? published : updated;
}

/** What an origin claims, unless it is still to come. */
function believable({ claimedTime, time }: Change): string | undefined {
  if (claimedTime === undefined) return undefined;
  const claimedMs = parseTime(claimedTime);
  return claimedMs === undefined || claimedMs > (parseTime(time) ?? 0) ? undefined : wireTime(claimedTime);
}
