import type { ApiKeyRecord } from './api-key-store.ts';
import { isRevokedForGood } from './key-standing.ts';

/** The hashes of a key and of those that it took over from, by rotation: what belongs to them belongs to it. */
export function lineageOf({ hash, replaces }: ApiKeyRecord, keys: readonly ApiKeyRecord[]): readonly string[] {
  const earlier = new Map(keys.map((key) => [key.hash, key.replaces]));
  const hashes = [hash];
  for (let next = replaces; next !== undefined && !hashes.includes(next); next = earlier.get(next)) hashes.push(next);
  return hashes;
}

/** The state of what belongs to a key: by that key, or by its successor. */
export function heirStanding(hash: string, keys: readonly ApiKeyRecord[]): 'good' | 'paused' | 'ended' {
  const heirs = new Map(keys.flatMap((key) => (key.replaces === undefined ? [] : [[key.replaces, key] as const])));
  let key = keys.find((one) => one.hash === hash);
  for (let left = keys.length; key?.revokedFor === 'rotated' && left > 0; left -= 1) key = heirs.get(key.hash);
  if (key === undefined || isRevokedForGood(key)) return 'ended';
  return key.revokedMs === undefined ? 'good' : 'paused';
}
