/**
 * The hubs that a change came through, first to last, as one text: `Zr0…A 9vQ…w`. In the log it is `provenance.via` of a change; feeds carry it if
 * their dialect has room. The hub that serves a feed names itself in a header of its responses.
 */

/** The response header in which a hub names itself, on everything that it serves. */
export const HUB_HEADER = 'tidings-hub';

const HUB_ID = /^[\w-]{16,64}$/;
/** No change needs to travel through more hubs. */
const MAX_HUBS = 32;

export function isHubId(value: unknown): value is string {
  return typeof value === 'string' && HUB_ID.test(value);
}

/** The hub ids in a path from outside; anything else in it is dropped. */
export function hubsIn(path: unknown): readonly string[] {
  if (typeof path !== 'string' || path.length > MAX_HUBS * 65) return [];
  return [...new Set(path.split(' ').filter(isHubId))].slice(0, MAX_HUBS);
}

/** The path with one more hub; undefined if it names no hub. */
export function pathThrough(path: unknown, sender: string | undefined): string | undefined {
  const hubs = new Set([...hubsIn(path), ...(isHubId(sender) ? [sender] : [])]);
  return hubs.size === 0 ? undefined : [...hubs].join(' ');
}

/** Whether a change on this path has passed this hub before or has travelled too far. */
export function goesRound(path: string | undefined, own: string): boolean {
  const hubs = hubsIn(path);
  return hubs.includes(own) || hubs.length >= MAX_HUBS;
}
