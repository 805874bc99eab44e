import type { SourceConfig } from '../../config/source-config.ts';
import type { Alarm } from '../../schedule/scheduler.ts';
import type { Watch } from '../../watch/watch-port.ts';
import type { ChangeTail } from '../change-tail.ts';

export interface PublishPingsParts {
  readonly watch: Pick<Watch, 'source' | 'hasten'>;
  /** The source to which a page or feed belongs. */
  readonly sourceOf: (url: URL) => Promise<SourceConfig | undefined>;
  readonly tail: Pick<ChangeTail, 'onEvents'>;
  readonly alarm: Alarm;
}

const SHORTEST_GAP_MS = 60_000;
const LONGEST_GAP_MS = 3600_000;
/** The factor by which pings may make a source be read more often. */
const SHARE_OF_RHYTHM = 0.1;
/** A ping may come before the page does. */
const SECOND_LOOK_MS = 60_000;

interface Pinged {
  /** Whether it has changed since. */
  hasChanged: boolean;
  readonly cancel: () => void;
}

/** Has sources checked soon after a ping. The ping itself is never taken for a change. */
export class PublishPings {
  readonly #parts: PublishPingsParts;
  readonly #pinged = new Map<string, Pinged>();
  readonly #end: () => void;

  constructor(parts: PublishPingsParts) {
    this.#parts = parts;
    this.#end = parts.tail.onEvents((events) => {
      if (this.#pinged.size === 0) return;
      for (const { change } of events) {
        const pinged = this.#pinged.get(change.source);
        if (pinged !== undefined) pinged.hasChanged = true;
      }
    });
  }

  /** Returns whether a source is checked for it; several pings of one source count as one. */
  async take(url: URL): Promise<boolean> {
    const { watch, sourceOf, alarm } = this.#parts;
    const config = await sourceOf(url);
    if (config === undefined) return false;
    const { id } = config;
    const gapMs = this.#gapOf(id);
    watch.hasten(id, gapMs);
    this.#pinged.get(id)?.cancel();
    const cancel = alarm(SECOND_LOOK_MS, () => {
      if (this.#pinged.get(id)?.hasChanged === false) watch.hasten(id, gapMs);
      this.#pinged.delete(id);
    });
    this.#pinged.set(id, { hasChanged: false, cancel });
    return true;
  }

  close(): void {
    this.#end();
    for (const { cancel } of this.#pinged.values()) cancel();
  }

  #gapOf(id: string): number {
    const rhythmMs = this.#parts.watch.source(id)?.health.intervalMs ?? 0;
    return Math.min(Math.max(rhythmMs * SHARE_OF_RHYTHM, SHORTEST_GAP_MS), LONGEST_GAP_MS);
  }
}
