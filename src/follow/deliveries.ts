import type { FollowState, SourceState, StateCommit } from './follow-state.ts';

/** What one processed event adds to the state. */
export type Delivery = Partial<Omit<StateCommit, 'state'>> & {
  /** The source's state once this event is processed, computed only if it is saved. Absent if unchanged. */
  readonly state?: () => SourceState;
};

/** Saves at least this often while events arrive, so that a kill repeats little. */
const MAX_UNSAVED_MS = 250;
const MAX_UNSAVED = 1000;

/** Events that were delivered but not saved yet: saved in batches, because each save waits for the disk. */
export interface Deliveries {
  readonly state: SourceState;
  /** Call it only after the consumer has taken the event. */
  add(delivery: Delivery): Promise<void>;
  save(): Promise<void>;
}

export function createDeliveries(store: FollowState, initial: SourceState, now: () => number): Deliveries {
  let batch: Delivery[] = [];
  let unsavedSince = 0;
  let state = () => initial;

  const save = async () => {
    if (batch.length === 0) return;
    const saved = batch;
    batch = [];
    const current = state();
    state = () => current;
    await store.commit({
      state: current,
      seenIds: saved.flatMap(({ seenIds = [] }) => seenIds),
      checksums: saved.flatMap(({ checksums = [] }) => checksums),
      items: saved.flatMap(({ items = [] }) => items),
      pending: saved.flatMap(({ pending = [] }) => pending),
      settledIds: saved.flatMap(({ settledIds = [] }) => settledIds),
      changes: saved.flatMap(({ changes = [] }) => changes),
    });
  };
  return {
    get state() {
      return state();
    },
    async add(delivery) {
      if (batch.length === 0) unsavedSince = now();
      batch.push(delivery);
      state = delivery.state ?? state;
      if (batch.length >= MAX_UNSAVED || now() - unsavedSince >= MAX_UNSAVED_MS) await save();
    },
    save,
  };
}
