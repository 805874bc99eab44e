import type { Ledger } from '../../../codecs/primitives/ledger.ts';
import type { SeenDocument } from '../../../codecs/primitives/seen-document.ts';

/** The documents read from an origin, live or in a folder. A document that could not be requested now is absent. */
export interface SeenSurface {
  /** The origin that was asked. Undefined for a folder. */
  readonly asked: URL | undefined;
  readonly did?: SeenDocument | undefined;
  readonly feed?: SeenDocument | undefined;
  readonly card?: SeenDocument | undefined;
  /** Why the TLS connection could not be trusted. */
  readonly untrusted?: string | undefined;
}

/** The ledger for findings, and what is known about the origin. */
export interface SurfaceContext {
  readonly ledger: Ledger;
  readonly nowMs: number;
  /** Whether a host is known only inside a private network. */
  readonly isPrivateHost: (url: URL) => boolean;
  /** Undefined if nothing in a folder names its origin. */
  readonly origin: URL | undefined;
}

const MAX_SHOWN = 80;

/** A foreign value on one line of bounded length. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value));
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text.toWellFormed();
}
