import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { formatTime, parseTime } from '../codecs/primitives/time.ts';
import { nextUlid } from '../codecs/primitives/ulid.ts';
import { invalidChangeError } from '../errors/state-refusals.ts';
import type { Change, ChangeDraft, Provenance } from '../model/change.ts';
import { isUses } from '../model/uses.ts';

/** What must be known about a log's newest change to place others after it. */
export type LogEnd = Pick<Change, 'seq' | 'id' | 'time'>;

export interface Placement {
  /** Undefined if the log is empty. */
  readonly last: LogEnd | undefined;
  readonly nowMs: number;
  readonly random: (size: number) => Uint8Array;
  /** The changes belong to the batch that `last` was appended with, and get its time. */
  readonly isMore?: boolean;
}

const ACTIONS: ReadonlySet<unknown> = new Set(['create', 'update', 'delete']);
const KINDS: ReadonlySet<unknown> = new Set(['page', 'endpoint']);
const SOURCE = /^[a-z0-9_]+$/;
const HTTP_URL = /^https?:\/\/[^\s#]+$/i;
/** Matches nearly every URL, so that only the remaining ones need the URL parser. */
const PLAIN_URL =
  /^https?:\/\/[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z](?:[a-z0-9-]*[a-z0-9])?)*\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-F]{2})*$/;
const TEXTS = [
  'anchor',
  'claimedTime',
  'checksum',
  'title',
  'heading',
  'summary',
  'excerpt',
  'before',
  'note',
] as const;

/**
 * Places drafts after `last`: gives them `seq`, `id`, and a `time` that never goes back and that no earlier batch has.
 *
 * Refuses the whole batch with `InvalidChangeError` if one draft is invalid. Every log places its changes through this function, which always writes
 * keys in the same order, so a change has exactly one spelling.
 */
export function placeChanges(drafts: readonly ChangeDraft[], placement: Placement): Change[] {
  return [...placeEach(drafts, placement)];
}

/** Places them one by one, for callers that write each change at once and can roll back all of them. */
export function* placeEach(drafts: Iterable<ChangeDraft>, placement: Placement): Generator<Change, void> {
  const { last, random, isMore = false } = placement;
  const lastMs = last === undefined ? Number.NEGATIVE_INFINITY : (parseTime(last.time) ?? placement.nowMs);
  const nowMs = isMore && last !== undefined ? lastMs : placement.nowMs;
  const now = formatTime(nowMs);
  let seq = last?.seq ?? 0;
  let id = last?.id;
  // Each batch gets a distinct time, even within one millisecond or after the clock stepped back.
  let timeMs = isMore ? lastMs : lastMs + 1;
  let time = last === undefined ? now : formatTime(timeMs);

  let index = 0;
  for (const draft of drafts) {
    ensureDraft(draft, index);
    const wantedMs = draft.time === undefined ? nowMs : ensureTime(draft.time, index, 'time');
    if (wantedMs > timeMs) {
      timeMs = wantedMs;
      time = draft.time === undefined ? now : formatTime(wantedMs);
    }
    seq += 1;
    id = nextUlid(nowMs, id, random);
    yield placed(draft, { seq, id, time });
    index += 1;
  }
}

/** Lists every key: spreading optional keys would cost more than the rest of an append. */
function placed(draft: ChangeDraft, { seq, id, time }: LogEnd): Change {
  const {
    source,
    kind = 'page',
    action,
    url,
    anchor,
    anchorIs,
    claimedTime,
    checksum,
    title,
    heading,
    summary,
    excerpt,
    before,
    note,
    risk,
    riskReasons,
    uses,
    hints,
    salts,
  } = draft;
  const change: { -readonly [key in keyof Change]?: Change[key] } = { seq, id, source, kind, action, url };
  if (anchor !== undefined) change.anchor = anchor;
  if (anchorIs !== undefined) change.anchorIs = anchorIs;
  change.time = time;
  if (claimedTime !== undefined) change.claimedTime = claimedTime;
  if (checksum !== undefined) change.checksum = checksum;
  if (title !== undefined) change.title = title;
  if (heading !== undefined) change.heading = heading;
  if (summary !== undefined) change.summary = summary;
  if (excerpt !== undefined) change.excerpt = excerpt;
  if (before !== undefined) change.before = before;
  if (note !== undefined) change.note = note;
  if (risk !== undefined) change.risk = risk;
  if (riskReasons !== undefined) change.riskReasons = riskReasons;
  if (uses !== undefined) change.uses = uses;
  if (hints !== undefined) change.hints = hints;
  if (salts !== undefined) change.salts = salts;
  change.provenance = withoutGaps(draft.provenance ?? {});
  return change as Change;
}

/** Storage would lose a key without a value, and the change read back would differ. */
function withoutGaps(provenance: Provenance): Provenance {
  const kept: Record<string, Provenance[string]> = {};
  for (const key of Object.keys(provenance)) {
    if (provenance[key] !== undefined) kept[key] = provenance[key];
  }
  return kept;
}

function ensureDraft(draft: ChangeDraft, index: number): void {
  if (typeof draft !== 'object' || draft === null) throw invalidChangeError(index, 'it', 'is not an object');
  const { action, kind, source, url, risk, claimedTime } = draft;
  if (!ACTIONS.has(action)) throw invalidChangeError(index, 'action', 'is not create, update or delete');
  if (kind !== undefined && !KINDS.has(kind)) throw invalidChangeError(index, 'kind', 'is not page or endpoint');
  if (typeof source !== 'string' || !SOURCE.test(source)) {
    throw invalidChangeError(index, 'source', 'is not made of a-z, 0-9 and _ only');
  }
  if (typeof url !== 'string' || !(PLAIN_URL.test(url) || (HTTP_URL.test(url) && canParseUrl(url)))) {
    throw invalidChangeError(
      index,
      'url',
      'is not an absolute http(s) URL without a fragment (a section goes into anchor)',
    );
  }
  if (risk !== undefined && !Number.isFinite(risk)) throw invalidChangeError(index, 'risk', 'is not a number');
  const { riskReasons, anchorIs } = draft;
  if (anchorIs !== undefined && anchorIs !== 'key') throw invalidChangeError(index, 'anchorIs', 'is not key');
  if (riskReasons !== undefined && !isListOfTexts(riskReasons)) {
    throw invalidChangeError(index, 'riskReasons', 'is not a list of texts');
  }
  if (draft.uses !== undefined && !isUses(draft.uses)) {
    throw invalidChangeError(index, 'uses', 'is not an object of search, ai-input and ai-train with yes or no');
  }
  for (const field of TEXTS) {
    const text: unknown = draft[field];
    if (text !== undefined && typeof text !== 'string') throw invalidChangeError(index, field, 'is not a text');
  }
  if (claimedTime !== undefined) ensureTime(claimedTime, index, 'claimedTime');
  ensureHints(draft.hints, index);
  ensureSalts(draft.salts, index);
  ensureProvenance(draft.provenance, index);
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** 32 bytes as lower-case hex. With another length, the boundary between salt and text would be ambiguous. */
const SALT = /^[0-9a-f]{64}$/;

function ensureSalts(salts: unknown, index: number): void {
  if (salts === undefined) return;
  const areSalts =
    typeof salts === 'object' &&
    salts !== null &&
    Object.values(salts).every((salt) => typeof salt === 'string' && SALT.test(salt));
  if (!areSalts) throw invalidChangeError(index, 'salts', 'is not an object of 32 bytes each in lower-case hex');
}

function ensureHints(hints: unknown, index: number): void {
  if (hints === undefined) return;
  const isFlat =
    typeof hints === 'object' &&
    hints !== null &&
    Object.values(hints).every((value) => typeof value === 'string' || Number.isFinite(value));
  if (!isFlat) throw invalidChangeError(index, 'hints', 'is not an object of texts and finite numbers');
}

function ensureProvenance(provenance: unknown, index: number): void {
  if (provenance === undefined || provenance === null) return;
  if (typeof provenance !== 'object' || Array.isArray(provenance)) {
    throw invalidChangeError(index, 'provenance', 'is not an object');
  }
  for (const [key, value] of Object.entries(provenance)) {
    if (value === undefined || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
      continue;
    throw invalidChangeError(index, `provenance.${key}`, 'is not a text, a finite number or a boolean');
  }
}

function ensureTime(text: string, index: number, field: 'time' | 'claimedTime'): number {
  const timeMs = typeof text === 'string' ? parseTime(text) : undefined;
  if (timeMs === undefined) throw invalidChangeError(index, field, 'is not an RFC 3339 date-time');
  return timeMs;
}
