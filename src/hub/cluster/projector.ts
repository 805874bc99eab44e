import { ignoreKnownError } from '../../errors/tidings-error.ts';
import type { Alarm } from '../schedule/scheduler.ts';
import type { Fence } from './journal.ts';
import type { Roles } from './roles.ts';

export interface ProjectorParts {
  readonly roles: Roles;
  /** Resolves when this process has applied everything that was written before. */
  readonly catchUp: () => Promise<void>;
  /** How long a role is held without a renewal. */
  readonly leaseMs: number;
  /** A monotonic clock in milliseconds. */
  readonly elapsed: () => number;
  readonly alarm: Alarm;
  /** Called with a bug of ours. */
  readonly onBug: (error: unknown) => void;
}

const ROLE = 'projector';

/**
 * Decides whether this process does the work that only one process of a hub does: steps of documents, deliveries, mails. If it dies or hangs, another process
 * takes over within two leases.
 *
 * The role is held only as long as the database grants it, by our own clock: a process that cannot renew it gives it up by itself.
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

  /** The fence for its steps; undefined while another process has the role. */
  get fence(): Fence | undefined {
    return this.#held !== undefined && this.isHeld ? { task: `role:${ROLE}`, token: this.#held.token } : undefined;
  }

  /** Called each time this process gets or loses the role. */
  onTurn(listener: (isHeld: boolean) => void): void {
    this.#listeners.push(listener);
  }

  begin(): void {
    if (!this.#isClosed) this.#looking = this.#lookAndGoOn();
  }

  /** Releases the role, so that the next process need not wait. */
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
      // If the role had ended before the answer came, some work was left out. Listeners hear of it and catch up.
      this.#tell();
      this.#held = isRenewed ? { token, untilMs: askedMs + leaseMs } : undefined;
      return;
    }
    const token = await roles.take(ROLE);
    if (token === undefined) return;
    // First apply what the previous holder has made.
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
