import { TidingsError } from '../../errors/tidings-error.ts';

/** An action of an authorised person: who, what, when, on what, from where. Bodies of requests are not kept, because they hold secrets. */
export interface AdminAction {
  readonly atMs: number;
  /** The name of a session; `token` for programs that send the hub's token. */
  readonly who: string;
  /** A line of the API, as the table of routes has it, or a way of signing in and out. */
  readonly action: string;
  /** What the path of the request names. */
  readonly on: Readonly<Record<string, string>>;
  /** The address of the client. */
  readonly from: string;
  /** The status of the answer. */
  readonly status?: number;
  /** The number of actions that it represents. Absent: 1. */
  readonly times?: number;
}

export interface KeptAction extends AdminAction {
  /** Rises with each. */
  readonly seq: number;
}

export const SIGNED_IN = 'sign-in';
export const SIGN_IN_REFUSED = 'sign-in refused';
export const SIGNED_OUT = 'sign-out';

/** How many are kept, and how many of them may be refused sign-ins. The oldest of their kind go first. */
export const KEPT_ACTIONS = 10_000;
export const KEPT_REFUSALS = 1000;

/** Where actions are kept. What writes throws LogFullError or LogUnavailableError, and kept nothing then. */
export interface AdminLogStore {
  /** One transaction, durable when it resolves. */
  append(action: AdminAction): Promise<void>;
  /** Newest first; only those before `beforeSeq` if it is given. */
  read(limit: number, beforeSeq?: number): readonly KeptAction[];
}

export interface AdminLogParts {
  readonly store: AdminLogStore;
  now(): number;
  /** Called when an action could not be written down. */
  onProblem(error: TidingsError, action: AdminAction): void;
}

const WINDOW_MS = 60_000;
/** How many refused sign-ins per minute are stored one by one; the others are only counted. */
const REFUSALS_A_MINUTE = 30;

export type NewAction = Omit<AdminAction, 'atMs' | 'on'> & Partial<Pick<AdminAction, 'on'>>;

/** Who did what, for operators. Strangers cannot fill it: what they can cause is bounded by itself. */
export class AdminLog {
  readonly #parts: AdminLogParts;
  #windowMs = Number.NEGATIVE_INFINITY;
  #refusals = 0;
  #uncounted = 0;

  constructor(parts: AdminLogParts) {
    this.#parts = parts;
  }

  /** Resolves when it is stored. Does not throw if the disk refuses: the action has already happened. */
  async record(action: NewAction): Promise<void> {
    const kept: AdminAction = { on: {}, ...action, atMs: this.#parts.now() };
    try {
      await this.#parts.store.append(kept);
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      this.#parts.onProblem(error, kept);
    }
  }

  /** Somebody gave a wrong token, or came from the provider without a role. */
  async refused(from: string, who = 'unknown'): Promise<void> {
    await this.settle();
    this.#refusals += 1;
    if (this.#refusals <= REFUSALS_A_MINUTE) await this.record({ who, action: SIGN_IN_REFUSED, from });
    else this.#uncounted += 1;
  }

  /** Writes down how many more were refused, once their minute is over. Called from time to time. */
  async settle(): Promise<void> {
    const nowMs = this.#parts.now();
    // Also holds if the clock was set back.
    if (Math.abs(nowMs - this.#windowMs) < WINDOW_MS) return;
    const times = this.#uncounted;
    this.#windowMs = nowMs;
    this.#refusals = 0;
    this.#uncounted = 0;
    if (times > 0) await this.record({ who: 'unknown', action: SIGN_IN_REFUSED, from: 'several addresses', times });
  }

  read(limit: number, beforeSeq?: number): readonly KeptAction[] {
    return this.#parts.store.read(limit, beforeSeq);
  }
}
