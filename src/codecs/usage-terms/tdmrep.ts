import { isRecord } from '../primitives/json-record.ts';
import type { Wishes } from './usage.ts';

/** Whether text and data mining is reserved, and where to ask for permission. */
export interface TdmReservation {
  readonly isReserved: boolean;
  readonly policy?: string;
}

export interface TdmRule extends TdmReservation {
  /** A pattern as in a robots.txt. */
  readonly location: string;
}

const MAX_RULES = 10_000;

/**
 * `/.well-known/tdmrep.json`: `[{ "location": "/docs/*", "tdm-reservation": 1, "tdm-policy": "https://…" }]`. Invalid entries are
 * ignored.
 *
 * Spec: https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/
 */
export function decodeTdmRep(value: unknown): readonly TdmRule[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_RULES).flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.location !== 'string' || entry.location === '') return [];
    const reservation = tdmReservation(entry['tdm-reservation'], entry['tdm-policy']);
    return reservation === undefined ? [] : [{ ...reservation, location: entry.location }];
  });
}

/** Decodes `tdm-reservation` and `tdm-policy` from a file, from response headers or from the head of a page. */
export function tdmReservation(reservation: unknown, policy?: unknown): TdmReservation | undefined {
  const said = typeof reservation === 'string' ? reservation.trim() : reservation;
  const isReserved = said === 1 || said === '1';
  if (!isReserved && said !== 0 && said !== '0') return undefined;
  return { isReserved, ...(typeof policy === 'string' && policy.trim() !== '' && { policy: policy.trim() }) };
}

/** Reserved pages must not be used for training. If a page is not reserved, nothing is granted either. */
export function tdmWishes({ isReserved }: TdmReservation): Wishes {
  return isReserved ? { 'ai-train': 'no' } : {};
}
