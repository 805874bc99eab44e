import type { Ledger } from '../../../codecs/primitives/ledger.ts';
import type { SeenDocument } from '../../../codecs/primitives/seen-document.ts';

/** What was read of an origin, live or in a folder. One that could not be asked for now is absent. */
export interface SeenSurface {
  /** Where it was asked for. Undefined for a folder. */
  readonly asked: URL | undefined;
  readonly did?: SeenDocument | undefined;
  readonly feed?: SeenDocument | undefined;
  readonly card?: SeenDocument | undefined;
  /** Why no connection could be trusted. */
  readonly untrusted?: string | undefined;
}

/** Where findings are booked, and what is known of the place. */
export interface SurfaceContext {
  readonly ledger: Ledger;
  readonly nowMs: number;
  /** Whether a host is known only inside of a network. */
  readonly isPrivateHost: (url: URL) => boolean;
  /** Undefined where nothing in a folder says whose it is. */
  readonly origin: URL | undefined;
}

const MAX_SHOWN = 80;

/** A value of others in one line of bounded length. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value));
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text.toWellFormed();
}
