import { decodeCursor, encodeCursor, START_ID } from '../../stream/log-cursor.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { LogPlace } from './push-log.ts';

/** The log, as those ask it who look for the place of a cursor. */
export interface PlacedLog {
  readonly store: Pick<HubStore, 'changeById' | 'lastChangeUpTo' | 'logStart'>;
  /** Undefined while no backup was ever restored. */
  readonly epoch: string | undefined;
}

/** A place that a reader can go on from: behind the change with this `seq`, or before all of them (0). */
export interface FoundPlace {
  readonly place: LogPlace;
  /** The reader may have had other changes than those before the place, or not all of them. */
  readonly isLost: boolean;
}

/** Where the log begins: at its very start, or where it was cut. */
export function startOfLog({ store }: { readonly store: Pick<HubStore, 'logStart'> }): LogPlace {
  return store.logStart() ?? { seq: 0, id: START_ID };
}

/**
 * Where a reader goes on who asks again with its cursor; undefined where the log does not have it. Of which epoch it is does not matter: a change
 * that the log has is the same in all of them, and so is what stands before it.
 */
export async function placeInLog(
  cursor: string,
  store: Pick<HubStore, 'changeById' | 'logStart'>,
): Promise<LogPlace | undefined> {
  const start = startOfLog({ store });
  const id = decodeCursor(cursor)?.id;
  if (id === start.id) return start;
  return id === undefined ? undefined : await store.changeById(id);
}

/** The place as a cursor; null for the very start. */
export function cursorOfPlace({ id }: LogPlace, { epoch }: PlacedLog): string | null {
  return id === START_ID ? null : encodeCursor(id, epoch);
}

/**
 * Where a reader goes on who came as far as the cursor, which may be anything: behind the change that it names; or else, lost, where no change is
 * left out that the reader may miss.
 *
 * Before a backup was restored the log was the same as far as it reaches back, so a reader from then has had all that is not newer than its cursor.
 */
export async function placeOfCursor(text: string, log: PlacedLog): Promise<FoundPlace> {
  const start = startOfLog(log);
  const cursor = decodeCursor(text);
  if (cursor === undefined) return { place: start, isLost: true };
  const { id, epoch } = cursor;
  if (epoch !== log.epoch) return { place: (await log.store.lastChangeUpTo(id)) ?? start, isLost: true };
  const place = await placeInLog(text, log.store);
  return place === undefined ? { place: start, isLost: true } : { place, isLost: false };
}
