import { canParseUrl } from '../primitives/can-parse-url.ts';
import { compareCodePoints } from '../primitives/code-points.ts';
import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import type { Ledger } from '../primitives/ledger.ts';
import { parseTime } from '../primitives/time.ts';
import { isTime } from './check-stop.ts';
import { valueInMessage } from './read-object.ts';
import { BUCKETS, FLAGGED_FROM } from './wire.ts';

export interface PlacedItem {
  readonly bucket: string;
  /** Its position in the bucket, from 0. */
  readonly index: number;
  readonly fields: JsonRecord;
}

const REQUIRED = ['source', 'id', 'url', 'published_at', 'updated_at', 'headline', 'content', 'provenance'];

/** All items of every bucket, known or not. A value that is not an object counts as an item without fields. */
export function placedItems(buckets: unknown): PlacedItem[] {
  if (!isRecord(buckets)) return [];
  const items: PlacedItem[] = [];
  for (const [bucket, list] of Object.entries(buckets)) {
    if (!Array.isArray(list)) continue;
    for (const [index, value] of list.entries()) items.push({ bucket, index, fields: isRecord(value) ? value : {} });
  }
  return items;
}

/** Checks each item, then the items against each other. */
export function checkItems(where: string, items: readonly PlacedItem[], ledger: Ledger): void {
  if (items.length === 0) return;
  ledger.looked(...OF_ITEMS);
  for (const item of items) checkItem(where, item, ledger);
  checkRisks(where, items, ledger);
  checkOrder(where, items, ledger);
  checkTwice(where, items, ledger);
}

const OF_ITEMS = ['DD-I2', 'DD-I3', 'DD-I6', 'DD-I8', 'DD-O3'];

function checkItem(where: string, item: PlacedItem, ledger: Ledger): void {
  const { fields } = item;
  const missing = REQUIRED.filter((key) => !isGiven(key, fields[key]));
  if (missing.length > 0) {
    const seen = `${nameOf(item)} has no usable \`${missing.join('`, `')}\`.`;
    ledger.note({ clause: 'DD-I2', where, seen, remedy: `Give every item ${REQUIRED.join(', ')}.` });
  }
  const hash = isRecord(fields.provenance) ? fields.provenance.content_hash : undefined;
  if (typeof hash === 'string' && hash !== '') return;
  const seen = `${nameOf(item)} has no \`provenance.content_hash\`, of which the cursor is made.`;
  ledger.note({ clause: 'DD-I3', where, seen, remedy: 'Give each item the hash of its content.' });
}

function isGiven(key: string, value: unknown): boolean {
  switch (key) {
    case 'content':
    case 'provenance':
      return isRecord(value);
    case 'published_at':
    case 'updated_at':
      return isTime(value);
    case 'headline':
      return typeof value === 'string';
    case 'url':
      return typeof value === 'string' && canParseUrl(value);
    default:
      return typeof value === 'string' && value !== '';
  }
}

function checkRisks(where: string, items: readonly PlacedItem[], ledger: Ledger): void {
  let needless = 0;
  for (const item of items) {
    const { risk } = item.fields;
    if (!isRecord(risk)) continue;
    const { score, reasons } = risk;
    if (typeof score === 'number' && score >= FLAGGED_FROM && item.bucket !== 'flagged') {
      const seen = `${nameOf(item)} has a risk of ${score} and is not in \`flagged\`.`;
      ledger.note({ clause: 'DD-I8', where, seen, remedy: `Put what has ${FLAGGED_FROM} or more into flagged.` });
    }
    if (score === 0 && (reasons === undefined || (Array.isArray(reasons) && reasons.length === 0))) needless += 1;
  }
  if (needless === 0) return;
  const seen = `${needless} of ${items.length} items say that they have no risk.`;
  ledger.note({ clause: 'DD-I6', where, seen, remedy: 'Leave `risk` out where it is 0 and has no reasons.' });
}

/** Reports the first fault of each known bucket: one misplaced item also misplaces all after it. */
function checkOrder(where: string, items: readonly PlacedItem[], ledger: Ledger): void {
  const unsettled = new Set<string>(BUCKETS);
  let before: PlacedItem | undefined;
  for (const item of items) {
    if (before?.bucket === item.bucket && unsettled.has(item.bucket) && isBehind(before.fields, item.fields)) {
      unsettled.delete(item.bucket);
      const seen = `${nameOf(item)} belongs before the item that precedes it.`;
      ledger.note({ clause: 'DD-O3', where, seen, remedy: 'Sort by published_at, then source, then id.' });
    }
    before = item;
  }
}

function isBehind(left: JsonRecord, right: JsonRecord): boolean {
  const [leftTime, rightTime] = [left.published_at, right.published_at];
  if (typeof leftTime !== 'string' || typeof rightTime !== 'string') return false;
  if (leftTime !== rightTime) {
    const [leftMs, rightMs] = [parseTime(leftTime), parseTime(rightTime)];
    // Equal times that are written differently have no order between them.
    return leftMs !== undefined && rightMs !== undefined && leftMs > rightMs;
  }
  const bySource = compareCodePoints(String(left.source), String(right.source));
  return bySource > 0 || (bySource === 0 && compareCodePoints(String(left.id), String(right.id)) > 0);
}

/** An item is in one bucket, once (T-DD-13). */
function checkTwice(where: string, items: readonly PlacedItem[], ledger: Ledger): void {
  const first = new Map<string, PlacedItem>();
  for (const item of items) {
    const { source, id } = item.fields;
    if (typeof source !== 'string' || typeof id !== 'string') continue;
    const key = JSON.stringify([source, id]);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, item);
      continue;
    }
    const isFlagged = item.bucket === 'flagged' || earlier.bucket === 'flagged';
    ledger.note({
      clause: isFlagged ? 'DD-I8' : 'DD-L1',
      ...(!isFlagged && { level: 'SHOULD' as const }),
      where,
      seen: `${valueInMessage(id)} of ${valueInMessage(source)} is in \`${earlier.bucket}\` and again in \`${item.bucket}\`.`,
      remedy: 'Put an item into one bucket, once; what is flagged is in flagged alone.',
    });
  }
}

function nameOf({ bucket, index }: PlacedItem): string {
  return `${bucket}[${index}]`;
}
