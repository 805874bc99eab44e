import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import type { OidcVisit } from './oidc-provider.ts';

/** A sign-in that is under way, as the browser keeps it. */
export interface PendingVisit extends OidcVisit {
  /** The next page, relative to the hub. */
  readonly to: string;
  readonly untilMs: number;
}

export const VISIT_SECONDS = 600;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const MOST_CHARACTERS = 4000;
const MOST_USED = 10_000;

/** Running sign-ins, kept by the browsers in a cookie that only this hub can read: strangers who begin many cost no memory. Each is used once. */
export class SealedVisits {
  readonly #key: Uint8Array;
  readonly #random: (size: number) => Uint8Array;
  readonly #now: () => number;
  /** When each that was taken would have ended, in the order of their taking. */
  readonly #used = new Map<string, number>();

  constructor(parts: { readonly key: Uint8Array; random(size: number): Uint8Array; now(): number }) {
    this.#key = parts.key;
    this.#random = parts.random;
    this.#now = parts.now;
  }

  begin(to: string): { readonly visit: PendingVisit; readonly sealed: string } {
    const text = () => Buffer.from(this.#random(32)).toString('base64url');
    const visit = { state: text(), nonce: text(), verifier: text(), to, untilMs: this.#now() + VISIT_SECONDS * 1000 };
    const iv = this.#random(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    const bytes = Buffer.concat([
      iv,
      cipher.update(JSON.stringify(visit), 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return { visit, sealed: bytes.toString('base64url') };
  }

  /** The visit of a browser whose answer has this state; undefined if it is unknown, too old, or used. */
  take(sealed: string, state: string): PendingVisit | undefined {
    const visit = this.#open(sealed);
    if (visit === undefined || visit.state !== state || visit.untilMs <= this.#now()) return undefined;
    const name = hash('sha256', visit.state, 'hex');
    if (this.#used.has(name)) return undefined;
    this.#forget();
    this.#used.set(name, visit.untilMs);
    return visit;
  }

  #open(sealed: string): PendingVisit | undefined {
    const bytes = Buffer.from(sealed.slice(0, MOST_CHARACTERS), 'base64url');
    if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as PendingVisit;
    } catch {
      return undefined;
    }
  }

  #forget(): void {
    const nowMs = this.#now();
    for (const [name, untilMs] of this.#used) {
      if (untilMs > nowMs && this.#used.size < MOST_USED) return;
      this.#used.delete(name);
    }
  }
}
