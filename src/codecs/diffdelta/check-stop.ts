import type { JsonRecord } from '../primitives/json-record.ts';
import type { Ledger } from '../primitives/ledger.ts';
import { parseTime } from '../primitives/time.ts';
import { isCursor, withoutZero } from './cursor.ts';
import { valueInMessage } from './read-object.ts';

const ZERO = /^sha256:0{64}$/;

/** Checks what clients base decisions on: cursors and `changed` of a head, a feed, or one entry of the status map. */
export function checkStop(where: string, fields: JsonRecord, ledger: Ledger): void {
  ledger.looked('DD-B1', 'DD-B2', 'DD-B3', 'DD-C3', 'DD-C7');
  for (const key of ['cursor', 'prev_cursor']) {
    const value = fields[key];
    if (!isCursor(value)) {
      const seen = value === undefined ? `It has no \`${key}\`.` : `\`${key}\` is ${valueInMessage(value)}.`;
      const remedy = 'Write "sha256:" and 64 lower-case hex digits, or null.';
      ledger.note({ clause: 'DD-C3', where, seen, remedy });
    } else if (typeof value === 'string' && ZERO.test(value)) {
      ledger.note({
        clause: 'DD-C7',
        where,
        seen: `\`${key}\` is the zero cursor of old.`,
        remedy: 'Write null: it means the same.',
      });
    }
  }
  const { changed } = fields;
  if (typeof changed !== 'boolean') {
    ledger.note({
      clause: 'DD-B1',
      where,
      seen: `\`changed\` is ${valueInMessage(changed)}.`,
      remedy: 'Write true or false.',
    });
    return;
  }
  checkInvariant(where, changed, fields, ledger);
}

function checkInvariant(where: string, changed: boolean, fields: JsonRecord, ledger: Ledger): void {
  const { cursor, prev_cursor: previous } = fields;
  if (cursor === undefined || previous === undefined || changed !== isSameCursor(cursor, previous)) return;
  ledger.note({
    clause: changed ? 'DD-B2' : 'DD-B3',
    where,
    seen: changed
      ? '`changed` is true, but `cursor` is the same as `prev_cursor`: no client learns of it.'
      : '`changed` is false, but `cursor` is another than `prev_cursor`.',
    remedy: 'Let `changed` say whether the two differ.',
  });
}

/** The zero cursor and null mean the same (DD-C6). */
export function isSameCursor(left: unknown, right: unknown): boolean {
  return normal(left) === normal(right);
}

function normal(cursor: unknown): unknown {
  return typeof cursor === 'string' ? withoutZero(cursor) : cursor;
}

/** Checks when it was made and how long it stays fresh. */
export function checkTimes(where: string, fields: JsonRecord, ledger: Ledger): void {
  ledger.looked('DD-G1', 'DD-G3');
  const { generated_at: generatedAt, ttl_sec: ttlSec } = fields;
  if (!isTime(generatedAt)) {
    const seen = `\`generated_at\` is ${valueInMessage(generatedAt)}.`;
    ledger.note({ clause: 'DD-G1', where, seen, remedy: 'Write the time such as "2026-02-05T12:00:00Z".' });
  }
  if (!Number.isSafeInteger(ttlSec) || Number(ttlSec) <= 0) {
    const seen = `\`ttl_sec\` is ${valueInMessage(ttlSec)}.`;
    ledger.note({ clause: 'DD-G3', where, seen, remedy: 'Write a whole number of seconds, such as 300.' });
  }
}

export function isTime(value: unknown): value is string {
  return typeof value === 'string' && parseTime(value) !== undefined;
}
