import type { SiteTrouble } from './visit-error.ts';

/** So many failures in a row may be not of the pages but of the site. */
const MAX_IN_A_ROW = 5;
/** Where else a page is then asked for: in the middle of what is left, at its end, and in its first half. */
const PROBES = [0.5, 1, 0.25];
/** So often one that answers is believed to speak for the others. */
const MAX_PROBINGS = 20;

/** Tells a site that is down from one of which some pages are broken, by the failures since its last answer. */
export class SiteTroubles {
  #troubles: SiteTrouble[] = [];
  #probings = 0;

  get count(): number {
    return this.#troubles.length;
  }

  /** Where in what is left the next page is to be asked for: 0 is the first, 1 the last. Undefined where order need not be left. */
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

  /** Whether it is no use, or no kindness, to ask for more. `hasRead`: the site has answered in this run. */
  isDown({ hasRead }: { readonly hasRead: boolean }): boolean {
    const troubles = this.#troubles;
    const busy = troubles.filter((each) => each === 'busy').length;
    if (troubles.includes('stop') || busy > (hasRead ? 1 : 0)) return true;
    // Only of a site that still answers is more asked than that.
    const mayProbe = this.#probings <= MAX_PROBINGS && troubles.every((each) => each === 'broken');
    return troubles.length >= MAX_IN_A_ROW + (mayProbe ? PROBES.length : 0);
  }
}
