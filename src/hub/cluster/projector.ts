import { ignoreKnownError } from '../../errors/tidings-error.ts';
import type { Alarm } from '../schedule/scheduler.ts';
import type { Fence } from './journal.ts';
import type { Roles } from './roles.ts';

export interface ProjectorParts {
  readonly roles: Roles;
  /** Resolves when this process has all that was written before. */
  readonly catchUp: () => Promise<void>;
  /** For how long a role is held that nobody renews. */
  readonly leaseMs: number;
  /** Counts up, in milliseconds, also while the clock is set. */
  readonly elapsed: () => number;
  readonly alarm: Alarm;
  /** Called with a fault of ours. */
  readonly onBug: (error: unknown) => void;
}

const ROLE = 'projector';

/**
 * Whether this process makes what one process of a hub makes: steps of documents, deliveries, mails. Who dies or hangs is followed by another
 * within two leases.
 *
 * It is held here only for as long as the database holds it, by our own count: who cannot renew it lets it go by itself.
 */
export class Projector implements AsyncDisposable {
  readonly #parts: ProjectorParts;
  readonly #listeners: ((isHeld: boolean) => void)[] = [];
  #held: { readonly token: number; readonly untilMs: number } | undefined;
  #isTold = false;
  #looking: Promise<void> = Promise.resolve();
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(parts: ProjectorParts) {
    this.#parts = parts;
  }

  get isHeld(): boolean {
    return this.#held !== undefined && this.#parts.elapsed() < this.#held.untilMs;
  }

  /** What its steps are written under; undefined while it is another's. */
  get fence(): Fence | undefined {
    return this.#held !== undefined && this.isHeld ? { task: `role:${ROLE}`, token: this.#held.token } : undefined;
  }

  /** Called each time that it becomes this process's, or is so no more. */
  onTurn(listener: (isHeld: boolean) => void): void {
    this.#listeners.push(listener);
  }

  begin(): void {
    if (!this.#isClosed) this.#looking = this.#lookAndGoOn();
  }

  /** The next one need not wait. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#looking;
    const held = this.#held;
    this.#held = undefined;
    this.#tell();
    if (held !== undefined) await this.#parts.roles.release(ROLE, held.token).catch(ignoreKnownError);
  }

  async #lookAndGoOn(): Promise<void> {
    try {
      await this.#look().catch(ignoreKnownError);
    } catch (error) {
      this.#parts.onBug(error);
    }
    this.#tell();
    if (this.#isClosed) return;
    this.#cancel = this.#parts.alarm(this.#parts.leaseMs / 3, () => {
      this.#looking = this.#lookAndGoOn();
    });
  }

  async #look(): Promise<void> {
    const { roles, catchUp, elapsed, leaseMs } = this.#parts;
    const askedMs = elapsed();
    if (this.#held !== undefined) {
      const { token } = this.#held;
      const isRenewed = await roles.renew(ROLE, token);
      // Where it had ended before the answer came, what was to be made meanwhile was left: that is told, so that it is made good.
      this.#tell();
      this.#held = isRenewed ? { token, untilMs: askedMs + leaseMs } : undefined;
      return;
    }
    const token = await roles.take(ROLE);
    if (token === undefined) return;
    // What the one before has made is known here first.
    await catchUp();
    const renewedMs = elapsed();
    if (await roles.renew(ROLE, token)) this.#held = { token, untilMs: renewedMs + leaseMs };
  }

  #tell(): void {
    const { isHeld } = this;
    if (!isHeld && this.#held !== undefined && this.#parts.elapsed() >= this.#held.untilMs) this.#held = undefined;
    if (isHeld === this.#isTold) return;
    this.#isTold = isHeld;
    for (const listener of this.#listeners) listener(isHeld);
  }
}
