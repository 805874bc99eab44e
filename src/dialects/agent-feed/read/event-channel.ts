import type { ReaderEvent } from './reader-event.ts';

/** How many events are kept for `take`. The oldest are dropped first. */
const MAX_KEPT = 1000;

export interface EventChannel {
  emit(event: ReaderEvent): void;
  listen(listener: (event: ReaderEvent) => void): () => void;
  /** The events emitted since the last call. */
  take(): readonly ReaderEvent[];
}

export function createEventChannel(): EventChannel {
  const listeners = new Set<{ readonly hear: (event: ReaderEvent) => void }>();
  let kept: ReaderEvent[] = [];
  return {
    emit(event) {
      kept.push(event);
      if (kept.length > MAX_KEPT) kept.shift();
      for (const { hear } of listeners) tellSafely(hear, event);
    },
    listen(hear) {
      const listener = { hear };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    take() {
      const taken = kept;
      kept = [];
      return taken;
    },
  };
}

/** An exception in a listener must not leave a feed half read. */
function tellSafely(hear: (event: ReaderEvent) => void, event: ReaderEvent): void {
  try {
    hear(event);
  } catch {}
}
