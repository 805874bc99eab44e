import { sourceAddress } from '../hub/config/source-address.ts';
import type { WatchedSource } from '../hub/store/hub-store.ts';
import type { RunningWatch } from '../hub/watch/watch.ts';
import type { WatchEvent } from '../hub/watch/watch-event.ts';
import type { SourceLook } from '../stream/change-stream.ts';

/** Visits every source of a hub, and waits until all visits are finished. */
export class LooksAtSources {
  /** Sources whose visit has begun but not ended. */
  readonly #running = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  begun(id: string): void {
    this.#running.add(id);
  }

  heard(event: WatchEvent): void {
    const isEnd =
      event.is === 'checked' || event.is === 'postponed' || event.is === 'abandoned' || event.is === 'removed';
    if (!isEnd) return;
    const { id } = event.source.config;
    this.#running.delete(id);
    const resolvers = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    for (const resolve of resolvers) resolve();
  }

  /** A visit that has just begun counts. Otherwise one is requested. */
  async lookAtAll(watch: RunningWatch, signal: AbortSignal): Promise<readonly SourceLook[]> {
    const ids = watch.sources().map(({ config }) => config.id);
    if (!signal.aborted) await untilAborted(Promise.all(ids.map((id) => this.#lookAt(id, watch))), signal);
    signal.throwIfAborted();
    return ids.flatMap((id) => {
      const source = watch.source(id);
      return source === undefined ? [] : [lookOf(source)];
    });
  }

  async #lookAt(id: string, watch: RunningWatch): Promise<void> {
    if (watch.source(id)?.paused !== undefined) return;
    const seen = new Promise<void>((resolve) => {
      this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), resolve]);
    });
    if (!this.#running.has(id)) await watch.resume(id, { allowDeletes: false, keepsHostPauses: true });
    await seen;
  }
}

/** Uses one listener for all the work and removes it afterwards: a signal may live as long as its process. */
async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function lookOf(source: WatchedSource): SourceLook {
  const { config, health, paused } = source;
  const place = { source: config.id, url: sourceAddress(source) };
  if (paused !== undefined) return { ...place, is: 'stopped', message: paused };
  const { error } = health;
  if (error === undefined) return { ...place, is: 'ok' };
  return { ...place, is: error.isStop ? 'stopped' : 'failed', message: error.message };
}
