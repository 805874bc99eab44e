import { compareCodePoints } from '../primitives/code-points.ts';
import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import type { Ledger } from '../primitives/ledger.ts';
import type { SeenDocument } from '../primitives/seen-document.ts';
import { type ReadDocument, readChecked } from './check-document.ts';
import { checkItems, type PlacedItem, placedItems } from './check-items.ts';
import { checkStatusMap } from './check-status.ts';
import { checkStop, checkTimes, isSameCursor } from './check-stop.ts';
import { cursorOf } from './cursor.ts';
import { hashOfText } from './encode.ts';
import { filledText, valueInMessage } from './read-object.ts';
import { validateFeed } from './validate.ts';
import { BUCKETS, CURSOR_BASIS } from './wire.ts';

/** Checks one feed: that of the source `id`, or of all sources if `id` is undefined. */
export function checkFeed(document: SeenDocument, id: string | undefined, ledger: Ledger): void {
  const place = id === undefined ? 'DD-R6' : 'DD-R3';
  const read = readChecked(document, { place, form: 'DD-I1', name: 'feed' }, ledger);
  if (read !== undefined) checkContent(read, { id, place }, ledger);
}

/** A feed that was served once. */
export function checkArchivedFeed(document: SeenDocument, id: string | undefined, ledger: Ledger): void {
  const clauses = { place: 'DD-R4', form: 'DD-I1', name: 'archive' };
  const read = readChecked(document, clauses, ledger);
  if (read !== undefined) checkContent(read, { id, place: clauses.place }, ledger);
}

export interface FeedOwner {
  readonly id: string | undefined;
  /** The clause that says whose feed it is. */
  readonly place: string;
}

export function checkContent(read: ReadDocument, { id, place }: FeedOwner, ledger: Ledger): void {
  const { where, fields } = read;
  checkSchema(read, ledger);
  checkStop(where, fields, ledger);
  checkTimes(where, fields, ledger);
  checkShape(read, ledger);
  checkOwner(read, { id, place }, ledger);
  const items = placedItems(fields.buckets);
  checkItems(where, items, ledger);
  checkStatusMap(where, fields, { id, items }, ledger);
  checkCursor(read, items, ledger);
  checkHash(read, ledger);
}

function checkSchema({ where, fields }: ReadDocument, ledger: Ledger): void {
  ledger.looked('DD-I1');
  const issues = validateFeed(fields);
  const [first] = issues;
  if (first === undefined) return;
  ledger.note({
    clause: 'DD-I1',
    where,
    seen: `It does not validate: ${issues.length === 1 ? 'one fault' : `${issues.length} faults or more`}, the first at ${first.path || 'its root'}: ${first.message}`,
    remedy: 'Mend what the other findings name; the schema is at /schema/v1/diff.schema.json.',
  });
}

/** Checks the four buckets, the status map, and every prescribed order. */
function checkShape({ where, fields }: ReadDocument, ledger: Ledger): void {
  ledger.looked('DD-L1', 'DD-O1', 'DD-O2', 'DD-K1');
  const { buckets, sources, sources_included: included, cursor_basis: basis } = fields;
  const note = (clause: string, seen: string, remedy: string) => ledger.note({ clause, where, seen, remedy });
  const missing = BUCKETS.filter((name) => !isRecord(buckets) || !Array.isArray(buckets[name]));
  if (missing.length > 0)
    note('DD-L1', `It has no list \`${missing.join('`, `')}\` in \`buckets\`.`, 'Write all four, empty ones as [].');

  const ids = Array.isArray(included) ? included.filter((each) => typeof each === 'string') : undefined;
  if (ids === undefined)
    note('DD-O1', `\`sources_included\` is ${valueInMessage(included)}.`, 'Write a list of source ids.');
  else if (!isSorted(ids)) note('DD-O1', '`sources_included` is not in order.', 'Sort it by code points.');

  if (!isRecord(sources)) note('DD-L1', 'It has no `sources`, the map of how each source stands.', 'Write the map.');
  else {
    const without = (ids ?? []).filter((each) => !Object.hasOwn(sources, each));
    if (without.length > 0)
      note('DD-L1', `\`sources\` has no entry for ${list(without)}.`, 'Write one for each source that is included.');
    if (!isSorted(textKeys(sources))) note('DD-O2', 'The keys of `sources` are not in order.', 'Write them in order.');
  }
  if (basis !== CURSOR_BASIS)
    note(
      'DD-K1',
      `\`cursor_basis\` is ${valueInMessage(basis)}.`,
      `Write "${CURSOR_BASIS}" when the cursor is made by §3.1.`,
    );
}

function checkOwner({ where, fields }: ReadDocument, { id, place }: FeedOwner, ledger: Ledger): void {
  if (id === undefined) return;
  const { source_id: owner = id, sources_included: included } = fields;
  const isIncluded = !Array.isArray(included) || included.includes(id);
  if (owner === id && isIncluded) return;
  const seen =
    owner === id
      ? `\`sources_included\` does not name ${valueInMessage(id)}.`
      : `It is the feed of ${valueInMessage(owner)}.`;
  ledger.note({ clause: place, where, seen, remedy: `Serve the feed of ${valueInMessage(id)} here.` });
}

/**
 * Recomputes the cursor if possible. Foreign cursors are opaque (T-DD-4), so a difference from ours is only a hint, unless
 * the feed is in our own spelling.
 */
function checkCursor({ where, text, fields }: ReadDocument, items: readonly PlacedItem[], ledger: Ledger): void {
  const { cursor, cursor_basis: basis, sources_included: included } = fields;
  ledger.looked('DD-C4');
  if (isSameCursor(cursor, null) && items.length > 0) {
    const seen = `\`cursor\` is ${valueInMessage(cursor)}, but there are ${items.length} items.`;
    ledger.note({ clause: 'DD-C4', where, seen, remedy: 'Null is for a source that was never read.' });
  }
  const input = basis === CURSOR_BASIS && typeof cursor === 'string' ? cursorInput(included, items) : undefined;
  if (input === undefined || isSameCursor(cursor, null)) {
    ledger.skipped('The feed does not say that its cursor is made by canonical_v1, or lacks what that takes.', 'DD-C1');
    return;
  }
  const expected = cursorOf(input);
  if (cursor === expected) {
    ledger.looked('DD-C1');
    return;
  }
  const isOurs = hashOfText(text) !== undefined;
  if (isOurs) ledger.looked('DD-C1');
  else ledger.skipped('Cursors of others are opaque: ours over the same items is another one.', 'DD-C1');
  ledger.note({
    clause: 'DD-C1',
    level: isOurs ? 'MUST' : 'SHOULD',
    where,
    seen: `\`cursor\` is ${cursor}; by canonical_v1 as we read it, it would be ${expected}.`,
    remedy: isOurs
      ? 'Publish the feed again: its items and its cursor are not of one run.'
      : 'Clients take cursors as they are. Compare with the vectors in specs/diffdelta/vectors, or name another basis.',
  });
}

type CursorInput = Parameters<typeof cursorOf>[0];

/** Undefined if an item lacks a field that the cursor needs, or is in a bucket that §3.1 does not define. */
function cursorInput(included: unknown, items: readonly PlacedItem[]): CursorInput | undefined {
  if (!Array.isArray(included) || !included.every((id) => filledText(id) !== undefined)) return undefined;
  const buckets: Record<string, { source: string; id: string; provenance: { content_hash: string } }[]> = {};
  for (const { bucket, fields } of items) {
    const [source, id] = [filledText(fields.source), filledText(fields.id)];
    const hash = isRecord(fields.provenance) ? filledText(fields.provenance.content_hash) : undefined;
    if (source === undefined || id === undefined || hash === undefined) return undefined;
    if (!BUCKETS.some((name) => name === bucket)) return undefined;
    const known = buckets[bucket] ?? [];
    known.push({ source, id, provenance: { content_hash: hash } });
    buckets[bucket] = known;
  }
  return { sources_included: included, buckets };
}

function checkHash({ where, text, fields }: ReadDocument, ledger: Ledger): void {
  const expected = hashOfText(text);
  if (expected === undefined) {
    ledger.skipped('Which bytes the hash is taken of is not said for feeds that others spell (T-DD-8).', 'DD-G5');
    return;
  }
  ledger.looked('DD-G5');
  if (fields.hash === expected) return;
  ledger.note({
    clause: 'DD-G5',
    where,
    seen: `\`hash\` is ${valueInMessage(fields.hash)}, that of the text without it is ${expected}: the file was changed after it was made.`,
    remedy: 'Publish the feed again, and serve its bytes as they are.',
  });
}

function isSorted(texts: readonly string[]): boolean {
  return texts.every((text, at) => at === 0 || compareCodePoints(texts[at - 1] ?? '', text) <= 0);
}

/** JavaScript puts keys that look like numbers first, so their order in the text is unknown. */
function textKeys(record: JsonRecord): string[] {
  return Object.keys(record).filter((key) => !/^(?:0|[1-9]\d{0,9})$/.test(key));
}

/** The first few of many names, for a message. */
function list(names: readonly string[]): string {
  const shownNames = names.slice(0, 5).map(valueInMessage).join(', ');
  return names.length > 5 ? `${shownNames} and ${names.length - 5} more` : shownNames;
}
