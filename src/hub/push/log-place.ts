import { decodeCursor, encodeCursor, START_ID } from '../../stream/log-cursor.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { LogPlace } from './push-log.ts';

/** The log, for code that looks up the place of a cursor. */
export interface PlacedLog {
  readonly store: Pick<HubStore, 'changeById' | 'lastChangeUpTo' | 'logStart'>;
  /** Undefined if no backup was ever restored. */
  readonly epoch: string | undefined;
}

/** A place from which a reader can continue: after the change with this `seq`, or before all of them (0). */
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
 * The place of a cursor; undefined if the log does not have it. Its epoch does not matter: a change that the log has is the same in all epochs, and so is
 * everything before it.
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
 * Where a reader with any cursor continues: after the change that it names; otherwise, as lost, at a place where it misses no change.
 *
 * Before a restored backup the log was the same as far as the backup reaches, so an older reader has had everything up to its cursor.
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
