import type { Watch } from '../watch/watch-port.ts';
import type { KeyRing } from './key-ring.ts';
import { SELF_SERVICE } from './self-service-owner.ts';

const SWITCHED_OFF = 'a visitor of the hub asked for it, and the operator has switched that off';

/**
 * Pauses the sources of owners whose key is no longer valid, and resumes them when it is valid again; likewise those that strangers asked for, when this is no
 * longer allowed. Idempotent.
 */
export async function settleOwnedSources({
  watch,
  keys,
  isSelfServiceOn,
}: {
  readonly watch: Pick<Watch, 'sources' | 'pause' | 'resume'>;
  readonly keys: Pick<KeyRing, 'newestOf'>;
  readonly isSelfServiceOn: boolean;
}): Promise<void> {
  for (const { config, owner, paused, pausedBy } of watch.sources()) {
    if (owner === undefined) continue;
    const isAskedFor = owner === SELF_SERVICE;
    const key = isAskedFor ? undefined : keys.newestOf(owner);
    const counts = isAskedFor ? isSelfServiceOn : key !== undefined && key.revokedMs === undefined;
    if (!counts && paused === undefined) {
      const why = `its API key counts no more (${key?.revokedFor ?? 'unknown'})`;
      await watch.pause(config.id, isAskedFor ? SWITCHED_OFF : why, 'key');
    }
    if (counts && pausedBy === 'key') await watch.resume(config.id, { allowDeletes: false });
  }
}
