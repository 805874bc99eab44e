import type { PlannedSource } from '../../hub/cluster/journal.ts';
import type { SourceHealth, WatchedSource } from '../../hub/store/hub-store.ts';
import { laneTaskOf } from '../../hub/watch/watch-sources.ts';

/** When a source is due by what is known of it: never while it is paused or dropped. */
export function plannedSource(
  { config, paused, dropped }: WatchedSource,
  { dueAtMs }: Pick<SourceHealth, 'dueAtMs'>,
): PlannedSource {
  const isVisited = paused === undefined && dropped === undefined;
  return { id: config.id, host: laneTaskOf(config).host, dueAtMs: isVisited ? dueAtMs : undefined };
}
