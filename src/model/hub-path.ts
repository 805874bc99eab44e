/**
 * The hubs that a change came through, first to last, as one text: `Zr0…A 9vQ…w`. It stands in `provenance.via` of a change in the
 * log, and in feeds as far as their dialects have room. The hub that serves a feed names itself in the header of its answers.
 */

/** Under this header a hub says which one it is, with everything that it serves. */
export const HUB_HEADER = 'tidings-hub';

const HUB_ID = /^[\w-]{16,64}$/;
/** No change has a reason to go further. */
const MAX_HUBS = 32;

export function isHubId(value: unknown): value is string {
  return typeof value === 'string' && HUB_ID.test(value);
}

/** The ids in a path that others wrote; what is none is left out. */
export function hubsIn(path: unknown): readonly string[] {
  if (typeof path !== 'string' || path.length > MAX_HUBS * 65) return [];
  return [...new Set(path.split(' ').filter(isHubId))].slice(0, MAX_HUBS);
}

/** The path with one hub more; undefined where nobody is in it. */
export function pathThrough(path: unknown, sender: string | undefined): string | undefined {
  const hubs = new Set([...hubsIn(path), ...(isHubId(sender) ? [sender] : [])]);
  return hubs.size === 0 ? undefined : [...hubs].join(' ');
}

/** Whether a change that came this way has been at this hub before, or goes round without an end. */
export function goesRound(path: string | undefined, own: string): boolean {
  const hubs = hubsIn(path);
  return hubs.includes(own) || hubs.length >= MAX_HUBS;
}
