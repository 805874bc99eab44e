import type { SiteTrouble } from './visit-error.ts';

/** This many failures in a row may be caused by the site rather than by its pages. */
const MAX_IN_A_ROW = 5;
/** Where a page is requested then: in the middle of the rest, at its end, and in its first half. */
const PROBES = [0.5, 1, 0.25];
/** How often a page that answers is taken as a sign for the others. */
const MAX_PROBINGS = 20;

/** Distinguishes a site that is down from one with some broken pages, by the failures since its last answer. */
export class SiteTroubles {
  #troubles: SiteTrouble[] = [];
  #probings = 0;

  get count(): number {
    return this.#troubles.length;
  }

  /** The position of the next page to request: 0 is the first, 1 the last. Undefined if the order is kept. */
  get probe(): number | undefined {
    return PROBES[this.#troubles.length - MAX_IN_A_ROW];
  }

  add(trouble: SiteTrouble): void {
    this.#troubles.push(trouble);
    if (this.#troubles.length === MAX_IN_A_ROW) this.#probings += 1;
  }

  /** The site answered. */
  clear(): void {
    this.#troubles = [];
  }

  /** Whether further requests would be useless or unkind. `hasRead`: the site has answered in this run. */
  isDown({ hasRead }: { readonly hasRead: boolean }): boolean {
    const troubles = this.#troubles;
    const busy = troubles.filter((each) => each === 'busy').length;
    if (troubles.includes('stop') || busy > (hasRead ? 1 : 0)) return true;
    // More is requested only from a site that still answers.
    const mayProbe = this.#probings <= MAX_PROBINGS && troubles.every((each) => each === 'broken');
    return troubles.length >= MAX_IN_A_ROW + (mayProbe ? PROBES.length : 0);
  }
}
