import type { Watch } from '../watch/watch-port.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Pauses the sources of owners whose key counts no more, and resumes those that were paused for that when it counts again. Done twice, it
 * does nothing the second time.
 */
export async function settleOwnedSources({
  watch,
  keys,
}: {
  readonly watch: Pick<Watch, 'sources' | 'pause' | 'resume'>;
  readonly keys: Pick<KeyRing, 'newestOf'>;
}): Promise<void> {
  for (const { config, owner, paused, pausedBy } of watch.sources()) {
    if (owner === undefined) continue;
    const key = keys.newestOf(owner);
    const counts = key !== undefined && key.revokedMs === undefined;
    if (!counts && paused === undefined) {
      await watch.pause(config.id, `its API key counts no more (${key?.revokedFor ?? 'unknown'})`, 'key');
    }
    if (counts && pausedBy === 'key') await watch.resume(config.id, { allowDeletes: false });
  }
}
