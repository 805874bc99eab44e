import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import type { Ledger } from '../primitives/ledger.ts';
import type { PlacedItem } from './check-items.ts';
import { checkStop, isSameCursor, isTime } from './check-stop.ts';
import { countOf, valueInMessage } from './read-object.ts';

interface FeedParts {
  /** Undefined for the feed of all sources. */
  readonly id: string | undefined;
  readonly items: readonly PlacedItem[];
}

interface Entry {
  readonly where: string;
  readonly fields: JsonRecord;
  readonly note: (clause: string, seen: string, remedy: string) => void;
}

/** Checks the status of sources (§5): each entry alone, and the entry of a source against its feed. */
export function checkStatusMap(where: string, feed: JsonRecord, { id, items }: FeedParts, ledger: Ledger): void {
  if (!isRecord(feed.sources)) return;
  for (const [name, value] of Object.entries(feed.sources)) {
    const place = `${where} sources[${valueInMessage(name)}]`;
    const fields = isRecord(value) ? value : {};
    const note = (clause: string, seen: string, remedy: string) => ledger.note({ clause, where: place, seen, remedy });
    const entry = { where: place, fields, note };
    checkStop(place, fields, ledger);
    checkEntry(entry, ledger);
    if (name === id) checkOwnEntry(entry, feed, items, ledger);
  }
}

function checkEntry(entry: Entry, ledger: Ledger): void {
  const { fields, note } = entry;
  const { status, changed } = fields;
  ledger.looked('DD-N1', 'DD-N2', 'DD-E9', 'DD-E11');
  if (changed === true && !hasCounts(fields.delta_counts))
    note(
      'DD-N1',
      `\`changed\` is true, but \`delta_counts\` is ${valueInMessage(fields.delta_counts)}.`,
      'Count what changed.',
    );
  if (changed === false && fields.delta_counts !== undefined)
    note('DD-N2', '`changed` is false, but there are `delta_counts`.', 'Leave them out.');
  if (fields.error !== undefined && status !== 'error')
    note('DD-E9', `\`error\` stands beside the status ${valueInMessage(status)}.`, 'Leave it out.');
  if (fields.disabled_reason !== undefined && status !== 'disabled')
    note('DD-E11', `\`disabled_reason\` stands beside the status ${valueInMessage(status)}.`, 'Leave it out.');
  if (fields.consecutive_failures !== undefined && status === 'ok') {
    ledger.looked('DD-E12');
    note('DD-E12', '`consecutive_failures` stands beside the status "ok".', 'Leave it out where nothing failed.');
  }
  if (status === 'error' || status === 'disabled') checkStale(entry, ledger);
  if (status === 'error') checkError(entry, ledger);
  if (status === 'disabled') {
    ledger.looked('DD-E10');
    if (!isText(fields.disabled_reason))
      note('DD-E10', `\`disabled_reason\` is ${valueInMessage(fields.disabled_reason)}.`, 'Say why it is disabled.');
  }
  if (status === 'degraded') checkDegraded(entry, ledger);
}

function checkStale({ fields, note }: Entry, ledger: Ledger): void {
  ledger.looked('DD-E1', 'DD-E2', 'DD-E3', 'DD-E4', 'DD-E5', 'DD-E6', 'DD-E7');
  const { status, changed, cursor, prev_cursor: previous, last_ok_at: lastOkAt, stale_age_sec: age } = fields;
  const beside = `beside the status ${valueInMessage(status)}`;
  if (changed !== false) note('DD-E1', `\`changed\` is ${valueInMessage(changed)} ${beside}.`, 'Write false.');
  if (fields.stale !== true) note('DD-E2', `\`stale\` is ${valueInMessage(fields.stale)} ${beside}.`, 'Write true.');
  if (!isSameCursor(cursor, previous))
    note('DD-E4', `\`prev_cursor\` is another than \`cursor\` ${beside}.`, 'Write the last good cursor twice.');
  if (!isTime(fields.stale_since))
    note('DD-E5', `\`stale_since\` is ${valueInMessage(fields.stale_since)} ${beside}.`, 'Write when it became stale.');

  const neverRead = isSameCursor(cursor, null);
  if (neverRead && lastOkAt !== undefined)
    note(
      'DD-E3',
      `\`cursor\` is ${valueInMessage(cursor)}, but \`last_ok_at\` is there.`,
      'Keep the last good cursor.',
    );
  if (!neverRead && !isTime(lastOkAt))
    note('DD-E6', `\`last_ok_at\` is ${valueInMessage(lastOkAt)} ${beside}.`, 'Write when it was read last.');
  const wantsAge = isTime(lastOkAt);
  if (wantsAge ? countOf(age) === undefined : age !== undefined)
    note(
      'DD-E7',
      `\`stale_age_sec\` is ${valueInMessage(age)} ${beside}.`,
      'Write the seconds since last_ok_at, if there is one.',
    );
}

function checkError({ fields: { error }, note }: Entry, ledger: Ledger): void {
  ledger.looked('DD-E8');
  const isRight =
    isRecord(error) &&
    isText(error.code) &&
    (error.http_status === undefined || Number.isSafeInteger(error.http_status));
  if (!isRight)
    note('DD-E8', `\`error\` is ${valueInMessage(error)}.`, 'Write an object with a code and, if any, http_status.');
}

function checkDegraded({ fields, note }: Entry, ledger: Ledger): void {
  ledger.looked('DD-F2', 'DD-F3', 'DD-F4');
  const { fallback_active: active, fallback_index: index, degraded_reason: reason } = fields;
  if (active !== true) note('DD-F2', `\`fallback_active\` is ${valueInMessage(active)}.`, 'Write true.');
  if (countOf(index) === undefined)
    note(
      'DD-F3',
      `\`fallback_index\` is ${valueInMessage(index)}.`,
      'Write the place of the fallback that worked, from 0.',
    );
  if (!isText(reason)) note('DD-F4', `\`degraded_reason\` is ${valueInMessage(reason)}.`, 'Say why, as a text.');
}

/** The entry of a source in its own feed must describe the same run. */
function checkOwnEntry(entry: Entry, feed: JsonRecord, items: readonly PlacedItem[], ledger: Ledger): void {
  const { where, fields, note } = entry;
  for (const key of ['cursor', 'changed'] as const) {
    const isSame = key === 'cursor' ? isSameCursor(fields.cursor, feed.cursor) : fields.changed === feed.changed;
    if (isSame) continue;
    const seen = `\`${key}\` is ${valueInMessage(fields[key])}, that of the feed is ${valueInMessage(feed[key])}.`;
    ledger.note({ clause: 'DD-L1', level: 'SHOULD', where, seen, remedy: 'Let both be of one run.' });
  }
  const counts = fields.delta_counts;
  if (feed.changed !== true || !hasCounts(counts)) return;
  const counted = counts.new + counts.updated + counts.removed;
  // Flagged items count as new or updated (T-DD-13).
  if (counted === items.length) return;
  note('DD-N1', `\`delta_counts\` counts ${counted} items, the buckets hold ${items.length}.`, 'Count the items.');
}

function hasCounts(value: unknown): value is { new: number; updated: number; removed: number } {
  return isRecord(value) && ['new', 'updated', 'removed'].every((key) => countOf(value[key]) !== undefined);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
