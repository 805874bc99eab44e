import { compareCodePoints } from '../primitives/code-points.ts';
import type { Ledger } from '../primitives/ledger.ts';
import { percentDecoded } from '../primitives/percent-decoded.ts';
import { parseTime } from '../primitives/time.ts';
import { isUlid } from '../primitives/ulid.ts';
import { sectionName } from './boundary.ts';
import { decodeEvent } from './decode.ts';
import { HINT_FIELDS } from './hints.ts';
import { isUri } from './seen.ts';
import type { AicfEvent } from './wire.ts';

export interface CheckedLine {
  readonly text: string;
  /** Counts from 1. */
  readonly number: number;
}

interface PlacedEvent {
  readonly event: AicfEvent;
  readonly line: number;
  readonly where: string;
  /** The object as it was written. */
  readonly raw: Readonly<Record<string, unknown>>;
}

const EVENT_CLAUSES = [
  'E1',
  'E2',
  'E3',
  'E4',
  'E5',
  'E6',
  'E7',
  'E8',
  'E9',
  'E10',
  'E12',
  'E13',
  'S2',
  'F3',
  'P3',
  'X6',
];
const APPEND = 'Past lines stay as they are; mend the publisher so that the next events are right.';
const REMEDIES: Readonly<Record<string, string>> = {
  'AICF-F4': `Write each event as one JSON object on one line, with line breaks inside texts as \\n. ${APPEND}`,
  'AICF-E1': `Give every event an id, best a ULID. ${APPEND}`,
  'AICF-E5': `Say "create", "update" or "delete". ${APPEND}`,
  'AICF-E6': `Write the full URL, percent-encoded, such as "https://docs.example/pricing". ${APPEND}`,
  'AICF-E8': `Write the time in UTC, such as "2025-08-21T12:34:56Z". ${APPEND}`,
  'AICF-E13': `Write a string, or leave the key out. ${APPEND}`,
};

/** Checks every line against the schema and the rules for one event, then the events against each other. */
export function checkEvents(feed: { where: string; lines: readonly CheckedLine[] }, ledger: Ledger): void {
  if (feed.lines.length === 0) {
    ledger.skipped('The feed has no events.', ...EVENT_CLAUSES.map((name) => `AICF-${name}`));
    return;
  }
  ledger.looked(...EVENT_CLAUSES.filter((name) => name !== 'X6').map((name) => `AICF-${name}`));

  const events: PlacedEvent[] = [];
  const invalid: number[] = [];
  for (const { text, number } of feed.lines) {
    const where = `${feed.where}:${number}`;
    const decoded = decodeEvent(text);
    if (!decoded.ok) {
      invalid.push(number);
      for (const { clause, message } of decoded.issues) {
        ledger.note({ clause, where, seen: message, remedy: REMEDIES[clause] ?? APPEND });
      }
      continue;
    }
    const placed = { event: decoded.value, line: number, where, raw: JSON.parse(text) };
    events.push(placed);
    if (!isUri(placed.event.url)) {
      invalid.push(number);
      const seen = `\`url\` is ${JSON.stringify(placed.event.url)}, which is not percent-encoded.`;
      ledger.note({ clause: 'AICF-E6', where, seen, remedy: REMEDIES['AICF-E6'] ?? APPEND });
    }
    checkTime(placed, ledger);
    checkAnchor(placed, ledger);
  }
  if (invalid.length > 0) {
    ledger.note({
      clause: 'AICF-S2',
      where: feed.where,
      seen: `${invalid.length} of ${feed.lines.length} lines do not validate, the first is line ${invalid[0]}.`,
      remedy: 'Mend what the findings of those lines name.',
    });
  }
  checkOrder(events, ledger);
  checkIdForm(feed.where, events, ledger);
  checkChecksums(feed.where, events, ledger);
}

/** The §11 extensions that events use, and that discovery has to announce. */
export function extensionFieldsOf(lines: readonly string[]): string[] {
  const names = new Set<string>();
  for (const line of lines) {
    // Most feeds use no extension; a search of the text shows that quickly.
    const candidates = HINT_FIELDS.filter((name) => line.includes(`"${name}"`));
    if (candidates.length === 0 || !decodeEvent(line).ok) continue;
    const raw: object = JSON.parse(line);
    for (const name of candidates) if (Object.hasOwn(raw, name)) names.add(name);
  }
  return [...names];
}

function checkTime({ raw, where }: PlacedEvent, ledger: Ledger): void {
  const time = String(raw.time);
  if (/(?:Z|[+-]00:00)$/i.test(time)) return;
  const seen = `\`time\` is "${time}", which is not in UTC.`;
  ledger.note({ clause: 'AICF-E8', where, seen, remedy: REMEDIES['AICF-E8'] ?? APPEND });
}

function checkAnchor({ event, raw, where }: PlacedEvent, ledger: Ledger): void {
  const anchor = typeof raw.anchor === 'string' ? raw.anchor : undefined;
  if (anchor?.startsWith('#') || anchor === '') {
    ledger.note({
      clause: 'AICF-E9',
      level: 'SHOULD',
      where,
      seen: anchor === '' ? '`anchor` is empty and names no section.' : `\`anchor\` is ${JSON.stringify(anchor)}.`,
      remedy: 'Write the name of the section without "#", or leave it out for the whole page.',
    });
  }
  if (event.action === 'delete' && event.anchor !== undefined) {
    ledger.note({
      clause: 'AICF-C13',
      where,
      seen: `It deletes the section ${JSON.stringify(event.anchor)}; a v0.1 client may delete the whole page instead.`,
      remedy: 'Say that a section is gone by an update of the whole page, without an anchor.',
    });
  }
  const hash = event.url.indexOf('#');
  if (hash === -1) return;
  const fragment = event.url.slice(hash + 1);
  if (event.anchor === undefined) {
    ledger.note({
      clause: 'AICF-A2',
      level: 'SHOULD',
      where,
      seen: `\`url\` ends with "#${fragment}", but without \`anchor\` the event is about the whole page.`,
      remedy: `Write "anchor": "${fragment}" if the section is meant; leave the fragment out if the page is.`,
    });
  } else if (sectionName(percentDecoded(fragment)) !== event.anchor && fragment !== event.anchor) {
    ledger.note({
      clause: 'AICF-A1',
      level: 'SHOULD',
      where,
      seen: `\`url\` names the section "#${fragment}", \`anchor\` names ${JSON.stringify(event.anchor)}.`,
      remedy: 'Write `url` without a fragment when there is an anchor: the anchor decides.',
    });
  }
}

function checkOrder(events: readonly PlacedEvent[], ledger: Ledger): void {
  const lineOfId = new Map<string, number>();
  let before: PlacedEvent | undefined;
  for (const placed of events) {
    const { event, where, line } = placed;
    const firstLine = lineOfId.get(event.id);
    if (firstLine !== undefined) {
      ledger.note({
        clause: 'AICF-E2',
        where,
        seen: `The id ${JSON.stringify(event.id)} is that of line ${firstLine}.`,
        remedy: `Give every event an id of its own: readers drop the second one. ${APPEND}`,
      });
      continue;
    }
    lineOfId.set(event.id, line);
    if (before !== undefined) checkPair(before, placed, ledger);
    before = placed;
  }
}

function checkPair(before: PlacedEvent, { event, where }: PlacedEvent, ledger: Ledger): void {
  if (compareCodePoints(event.id, before.event.id) < 0) {
    ledger.note({
      clause: 'AICF-E3',
      where,
      seen: `The id ${JSON.stringify(event.id)} sorts before ${JSON.stringify(before.event.id)} of line ${before.line}.`,
      remedy: `Use monotonic ULIDs or counters of fixed width, and begin after the last id of the feed. ${APPEND}`,
    });
  }
  if ((parseTime(event.time) ?? 0) < (parseTime(before.event.time) ?? 0)) {
    ledger.note({
      clause: 'AICF-F3',
      where,
      seen: `Its time ${event.time} is before ${before.event.time} of line ${before.line}.`,
      remedy: `Append events in the order in which they happen, and never take a time before the last one. ${APPEND}`,
    });
  }
}

function checkIdForm(where: string, events: readonly PlacedEvent[], ledger: Ledger): void {
  const length = events[0]?.event.id.length;
  const other = events.filter(({ event: { id } }) => {
    return !isUlid(id.toUpperCase()) && !(id.length === length && startsWithTime(id));
  });
  const [first] = other;
  if (first === undefined) return;
  ledger.note({
    clause: 'AICF-E4',
    where,
    seen: `${other.length} of ${events.length} ids are neither ULIDs nor a time and counter of fixed width, the first is ${JSON.stringify(first.event.id)} on line ${first.line}.`,
    remedy: 'Take monotonic ULIDs for the events to come, if they sort after the ids so far.',
  });
}

/** `20250821T101500Z-0001`, `1755771300123-001`, or a version 7 UUID. */
function startsWithTime(id: string): boolean {
  const digits = /^\d[\d\-:T.]*/.exec(id)?.[0].replaceAll(/\D/g, '') ?? '';
  return digits.length >= 10 || /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i.test(id);
}

function checkChecksums(where: string, events: readonly PlacedEvent[], ledger: Ledger): void {
  const deletes = events.filter(({ event }) => event.action === 'delete' && event.checksum !== undefined);
  const [firstDelete] = deletes;
  if (firstDelete !== undefined) {
    ledger.note({
      clause: 'AICF-P3',
      where,
      seen: `${deletes.length} deletes have a checksum, the first is line ${firstDelete.line}; what is gone has no content.`,
      remedy: `Leave the checksum of a delete out. ${APPEND}`,
    });
  }
  const current = events.filter(({ event }) => event.action !== 'delete');
  const without = current.filter(({ event }) => event.checksum === undefined);
  const [first] = without;
  if (first === undefined) return;
  ledger.note({
    clause: 'AICF-P3',
    where,
    seen: `${without.length} of ${current.length} creates and updates have no checksum, the first is line ${first.line}.`,
    remedy: 'Add "checksum": "sha256:<hex>" of the page or section, so that readers can skip what they have.',
  });
}
