import { formatTime } from '../../codecs/primitives/time.ts';
import type { ClusterView, ProcessView } from '../health/process-view.ts';
import type { ProcessBoard, SeenProcess } from './process-board.ts';
import type { ReplicaState } from './replica.ts';

export interface ClusterPresenceOptions {
  readonly board: ProcessBoard;
  readonly replica: { readonly state: ReplicaState };
  /** What this process reports about itself. */
  readonly facts: () => Readonly<Record<string, unknown>>;
  readonly now: () => number;
  /** The newest time that this process knew when it started. */
  readonly knownMs: number | undefined;
}

/** Announces this process, and knows which others are running. */
export class ClusterPresence {
  readonly #options: ClusterPresenceOptions;
  #seen: readonly SeenProcess[] = [];
  #isHeard = true;

  constructor(options: ClusterPresenceOptions) {
    this.#options = options;
  }

  /** To be called every few seconds. Throws what the board throws. */
  async refresh(): Promise<void> {
    const { board, replica, facts } = this.#options;
    try {
      await board.say({ rev: replica.state.rev, facts: facts() });
      this.#isHeard = true;
    } catch (error) {
      this.#isHeard = false;
      throw error;
    }
    this.#seen = await board.all();
  }

  /** So that the others see at once that it is gone. */
  leave(): Promise<void> {
    return this.#options.board.leave();
  }

  /** Public wording: the full error is in the log of this process. */
  get #trouble(): string | undefined {
    if (this.#options.replica.state.trouble !== undefined) return 'The database cannot be reached.';
    return this.#isHeard ? undefined : 'The database takes no writes.';
  }

  view(): ClusterView {
    const { replica, knownMs } = this.#options;
    const { rev, endRev, currentAtMs = knownMs } = replica.state;
    const trouble = this.#trouble;
    return {
      behind: Math.max(0, endRev - rev),
      ...(trouble !== undefined && currentAtMs !== undefined && { currentAt: formatTime(currentAtMs) }),
      ...(trouble !== undefined && { trouble: `${trouble} What this server has is served; nothing is written.` }),
      processes: this.#seen.map(viewProcess),
    };
  }
}

/** As operators see it. */
export function viewProcess({ id, kind, startedAtMs, silentMs, behind, facts }: SeenProcess): ProcessView {
  const { visits, roles } = facts;
  return {
    name: id,
    kind,
    started: formatTime(startedAtMs),
    silentSeconds: Math.round(silentMs / 1000),
    behind,
    ...(visits !== undefined && { visits }),
    ...(roles !== undefined && { roles }),
  };
}
