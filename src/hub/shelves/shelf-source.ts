import type { ShelfSource } from '../../dialects/shelf.ts';
import { sourceAddress } from '../config/source-address.ts';
import { statusWord } from '../health/source-status.ts';
import type { WatchedSource } from '../store/hub-store.ts';

const views = new WeakMap<WatchedSource, ShelfSource>();

/** A source as shelves see it. Returns the same object while the source is the same. */
export function shelfSource(source: WatchedSource): ShelfSource {
  const known = views.get(source);
  if (known !== undefined) return known;
  const { config, paused, addedAtMs, health } = source;
  const { id, title, tags, intervalSeconds } = config;
  const view: ShelfSource = {
    id,
    url: sourceAddress(source),
    status: statusWord(source),
    addedAtMs,
    health,
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags }),
    ...(paused !== undefined && { paused }),
    ...(intervalSeconds !== undefined && { intervalSeconds }),
  };
  views.set(source, view);
  return view;
}
