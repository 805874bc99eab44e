import { decodePageRecord } from '../../../log/pages-file.ts';
import type { Change } from '../../../model/change.ts';
import type { HubStore } from '../../store/hub-store.ts';
import { compareTexts, type TextVersion } from '../../why/compare-texts.ts';
import { snapshotText } from '../../why/page-versions.ts';
import { changeLine } from '../changes/change-line.ts';
import { MAX_LINES } from '../changes/diff-rows.ts';
import { sectionText, textFacts } from '../changes/text-facts.ts';
import type { ComparedVersions } from './timeline-facts.ts';

const NOT_KEPT =
  'The text of one of them is not kept: a feed told of it, or retention.snapshots says that it has been dropped.';

export interface CompareAsked {
  /** Absent: the whole page. */
  readonly anchor: string | undefined;
  readonly store: Pick<HubStore, 'snapshot' | 'pageOf'>;
}

/** Compares a page, or a section of it, after one change and after another. */
export async function compareVersions(one: Change, other: Change, asked: CompareAsked): Promise<ComparedVersions> {
  const [a, b] = one.seq <= other.seq ? [one, other] : [other, one];
  const [before, after] = [await versionOf(a, asked), await versionOf(b, asked)];
  const lines = { a: changeLine(a), b: changeLine(b) };
  if (before === undefined || after === undefined) {
    return { ...lines, text: textFacts({}, { is: 'unknown', because: NOT_KEPT }) };
  }
  const texts = { before: sectionText(before) ?? before.text, after: sectionText(after) ?? after.text };
  return { ...lines, text: textFacts(texts, compareTexts(before, after, MAX_LINES)) };
}

/** The text after a change. A deleted page has none. A section with another name at that time is found by that name. */
async function versionOf(change: Change, { anchor, store }: CompareAsked): Promise<TextVersion | undefined> {
  const { source, url, action, provenance } = change;
  if (action === 'delete' && change.anchor === undefined) return { text: '' };
  const text = await snapshotText(provenance.after, store);
  if (text === undefined) return undefined;
  if (anchor === undefined) return { text };
  const page = await store.pageOf(source, url);
  const isNewest = page !== undefined && page.snapshot === provenance.after;
  return {
    text,
    anchor: change.anchor ?? anchor,
    ...(isNewest && { anchors: decodePageRecord(page.record).sections.map((section) => section.anchor) }),
  };
}
