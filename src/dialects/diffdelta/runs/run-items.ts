import { sha256Name } from '../../../codecs/diffdelta/cursor.ts';
import {
  type DiffDeltaItem,
  FLAGGED_FROM,
  type ItemContent,
  type ItemRisk,
  type ItemSection,
} from '../../../codecs/diffdelta/wire.ts';
import { canonicalJson } from '../../../codecs/primitives/canonical-json.ts';
import { compareCodePoints } from '../../../codecs/primitives/code-points.ts';
import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import type { Change } from '../../../model/change.ts';
import { wireTime } from './wire-time.ts';

/** What must be remembered of an item to tell later what a change does to it. */
export interface ItemRecord {
  /** As it was last published. */
  readonly item: DiffDeltaItem;
  readonly isRemoved: boolean;
}

export type Nature = 'new' | 'updated' | 'removed';

/** An item after a run. */
export interface RunItem extends ItemRecord {
  readonly nature: Nature;
}

/**
 * The items of one run of a source: one for each page and each endpoint in its changes.
 *
 * A pure function of the changes and the records. Neither the order in which pages were found nor ids and positions in the log
 * matter (DD-K13).
 */
export function itemsOfRun(
  changes: readonly Change[],
  recordOf: (id: string) => ItemRecord | undefined,
): readonly RunItem[] {
  return [...eachItemOfRun(changes, recordOf)];
}

/**
 * The same one by one, so that callers can yield in between. For a skipped item, only what the next item of a page that stays
 * depends on is made: it has neither content nor hash.
 */
export function* eachItemOfRun(
  changes: readonly Change[],
  recordOf: (id: string) => ItemRecord | undefined,
  isPassed: (id: string) => boolean = () => false,
): Generator<RunItem, void> {
  for (const [id, ofItem] of groupBy(changes, itemIdOf)) yield itemOf(id, ofItem, recordOf(id), isPassed(id));
}

/** The id of a page is its URL. An endpoint keeps its name when it moves, and several may share a URL. */
export function itemIdOf({ kind, url, provenance: { endpointId } }: Change): string {
  return kind === 'endpoint' && endpointId !== undefined ? `endpoint:${endpointId}` : url;
}

function itemOf(id: string, changes: readonly Change[], known: ItemRecord | undefined, isPassed: boolean): RunItem {
  const last = changes.at(-1);
  if (last === undefined) throw new Error('A group has a member.');
  const { url } = last;
  const isRemoved = isPageDelete(last);
  const nature = isRemoved ? 'removed' : known === undefined || known.isRemoved ? 'new' : 'updated';
  // Changes before a page was deleted do not describe the page that replaced it.
  const standing = changes.slice(changes.findLastIndex(isPageDelete) + 1);
  const left = harmless(known?.item);
  const content = isPassed ? {} : isRemoved ? (left?.content ?? {}) : contentOf(standing);
  const revision = (known?.item.provenance.revision ?? 0) + 1;
  const risk = riskOf(standing);
  const publishedAt = known?.item.published_at ?? publishedBy(changes, last);
  const item: DiffDeltaItem = {
    source: last.source,
    id,
    url,
    published_at: publishedAt,
    updated_at: updatedBy(isRemoved ? [last] : standing, last, publishedAt),
    headline: titleOf(changes) ?? left?.headline ?? url,
    content,
    provenance: {
      content_hash: isPassed ? '' : hashOf(isRemoved, known, { url, content, revision }),
      fetched_at: wireTime(last.time),
      evidence_urls: [url],
      revision,
      ...attestationOf(last),
      ...(last.provenance.via !== undefined && { via: last.provenance.via }),
      ...noteOf(changes),
    },
    ...(risk !== undefined && { risk }),
  };
  return { item, isRemoved, nature };
}

function hashOf(isRemoved: boolean, known: ItemRecord | undefined, facts: Parameters<typeof contentHash>[0]): string {
  return isRemoved ? tombstoneHash(known?.item.provenance.content_hash) : contentHash(facts);
}

/** Flagged text is not repeated without its risk, neither for a deleted page nor for a change without its own text. */
function harmless(item: DiffDeltaItem | undefined): DiffDeltaItem | undefined {
  return (item?.risk?.score ?? 0) < FLAGGED_FROM ? item : undefined;
}

/** The anchor of an endpoint only says where it is named, so it does not count here. */
export function isPageDelete({ kind, action, anchor }: Change): boolean {
  return action === 'delete' && (anchor === undefined || kind === 'endpoint');
}

/** Who signed the statement about an endpoint. Empty for pages, which nobody signs. */
function attestationOf({ kind, provenance: { verified, signer } }: Change) {
  if (kind !== 'endpoint' || typeof verified !== 'boolean') return {};
  return { verified, ...(typeof signer === 'string' && { signer: signer.toWellFormed() }) };
}

/** The note, if exactly one thing happened to a page: then it says what is new since the previous change. */
function noteOf([change, ...others]: readonly Change[]) {
  if (change?.note === undefined || change.anchor !== undefined || others.length > 0) return {};
  return USEFUL_NOTE.test(change.note) ? { note: change.note.toWellFormed() } : {};
}

/** Covers the URL and a count that only rises, so that no cursor ever returns (T-DD-3, T-DD-6). */
export function contentHash(facts: {
  readonly url: string;
  readonly content: ItemContent;
  readonly revision: number;
}): string {
  const { url, content, revision } = facts;
  return sha256Name(canonicalJson({ url, content, revision }));
}

/** Differs from the hash of every existing item (T-DD-2). */
export function tombstoneHash(last: string | undefined): string {
  return sha256Name(canonicalJson({ removed: true, last: last ?? null }));
}

/** The other words of a note say why a page is listed, which the bucket and the sections already show. */
const USEFUL_NOTE = /(?:^|; )(?:sections |moved-from=|moved-to=|terms )/;

/** A page with more changed sections is reported as a whole. */
const MOST_SECTIONS = 1000;

/** What the run says about a page. Sections are named only if nothing else changed: otherwise a reader needs the whole page. */
function contentOf(changes: readonly Change[]): ItemContent {
  const endpoint = changes.findLast(({ kind }) => kind === 'endpoint');
  if (endpoint !== undefined) return endpointContent(endpoint);
  const page = changes.findLast(({ anchor }) => anchor === undefined);
  const newest = new Map(changes.map((change) => [change.anchor, change]));
  const sections = [...newest.values()].flatMap(sectionOf).sort((a, b) => compareCodePoints(a.anchor, b.anchor));
  const excerpt =
    page?.excerpt?.toWellFormed() ?? sections.find(({ excerpt_text }) => excerpt_text !== undefined)?.excerpt_text;
  const checksum = pageChecksum(changes)?.toWellFormed();
  return {
    ...(excerpt !== undefined && { excerpt_text: excerpt }),
    ...(checksum !== undefined && { checksum }),
    ...(page === undefined && sections.length <= MOST_SECTIONS && { sections }),
  };
}

/** The sentence that describes the change. The checksum is that of the signed text. */
function endpointContent({ summary, checksum }: Change): ItemContent {
  return {
    ...(summary !== undefined && { excerpt_text: summary.toWellFormed() }),
    ...(checksum !== undefined && { checksum: checksum.toWellFormed() }),
  };
}

/** No hash can cover half a surrogate pair, so it becomes U+FFFD in every text. */
function sectionOf({ anchor, anchorIs, action, checksum, excerpt }: Change): ItemSection[] {
  if (anchor === undefined) return [];
  return [
    {
      anchor: anchor.toWellFormed(),
      ...(anchorIs !== undefined && { anchorIs }),
      action,
      ...(checksum !== undefined && { checksum: checksum.toWellFormed() }),
      ...(excerpt !== undefined && { excerpt_text: excerpt.toWellFormed() }),
    },
  ];
}

/** The checksum of the page after the run. */
function pageChecksum(changes: readonly Change[]): string | undefined {
  const ofPage = ({ anchor, checksum, provenance }: Change) =>
    provenance.pageChecksum ?? (anchor === undefined ? checksum : undefined);
  return changes.map(ofPage).findLast((checksum) => checksum !== undefined);
}

/** The highest risk of the run. DD-I6: harmless items carry no risk. */
function riskOf(changes: readonly Change[]): ItemRisk | undefined {
  const score = changes.reduce((highest, { risk = 0 }) => Math.max(highest, Math.min(1, risk)), 0);
  const reasons = [...new Set(changes.flatMap(({ riskReasons = [] }) => riskReasons))].sort(compareCodePoints);
  if (score === 0 && reasons.length === 0) return undefined;
  return { score, ...(reasons.length > 0 && { reasons }) };
}

function titleOf(changes: readonly Change[]): string | undefined {
  return changes.findLast(({ title = '' }) => title !== '')?.title?.toWellFormed();
}

/**
 * The date that the page declares, else the earliest that its origin claims, else when it was first seen. It never changes
 * (T-DD-14).
 */
function publishedBy(changes: readonly Change[], { time }: Change): string {
  const declared = changes.flatMap(({ provenance, time: seen }) => pastTime(provenance.published, seen));
  return declared.sort().at(0) ?? changes.flatMap(believable).sort().at(0) ?? wireTime(time);
}

function updatedBy(changes: readonly Change[], { time }: Change, published: string): string {
  const updated = changes.flatMap(believable).sort().at(-1) ?? wireTime(time);
  return updated < published ? published : updated;
}

/** The time that an origin claims, unless it is in the future. */
function believable({ claimedTime, time }: Change): string[] {
  return pastTime(claimedTime, time);
}

function pastTime(claimed: string | undefined, seen: string): string[] {
  const claimedMs = claimed === undefined ? undefined : parseTime(claimed);
  return claimedMs === undefined || claimedMs > (parseTime(seen) ?? 0) ? [] : [wireTime(claimedMs)];
}
