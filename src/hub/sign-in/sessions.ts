import { createHmac, hash } from 'node:crypto';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { HubRequest } from '../http/route.ts';
import { SteadyClock } from '../schedule/steady-clock.ts';
import type { HubCookie } from './hub-cookie.ts';
import { maskedToken } from './own-form.ts';
import type { Session, SessionStore, SessionWrite } from './session.ts';
import { NOBODY, type Role, type Viewer, type Viewers } from './viewer.ts';

export interface SessionsParts {
  readonly store: SessionStore;
  readonly cookie: HubCookie;
  /** How long one lasts, and how long while nobody looks at a page. */
  readonly hours: number;
  readonly idleMinutes: number;
  /** The role that a session of an earlier start has now; undefined: none, since its token, its provider or the roles are others. */
  roleNow(session: Session): Role | undefined;
  now(): number;
  random(size: number): Uint8Array;
  /** Called when the store refuses; it is tried again. */
  onProblem(error: TidingsError): void;
}

/** Who signs in. */
export type NewSession = Omit<Session, 'hash' | 'createdMs' | 'seenMs'>;

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;
/** At most this many cookies of its name are examined. */
const MOST_COOKIES = 4;
export const MOST_SESSIONS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FORM_PURPOSE = 'tidings form';

/**
 * The sessions of a hub, in memory over their store: a request finds its own without waiting.
 *
 * One that ends counts nowhere from then on, whatever the store says. When a page was last looked at is written by {@link flush}.
 */
export class Sessions implements Viewers {
  readonly #parts: SessionsParts;
  readonly #clock: SteadyClock;
  readonly #sessions = new Map<string, Session>();
  readonly #seen = new Map<string, number>();
  /** Ended sessions that the store may still have. */
  readonly #ended = new Set<string>();
  /** Who wants to know, by hash. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#clock = new SteadyClock(parts.now);
    for (const stored of parts.store.load()) {
      // One from later than now would outlast its time.
      const role = stored.seenMs > parts.now() + MINUTE_MS ? undefined : parts.roleNow(stored);
      if (role === undefined) this.#ended.add(stored.hash);
      else this.#sessions.set(stored.hash, { ...stored, role });
    }
    parts.store.onWritten((step) => this.#hear(step));
    void this.flush();
  }

  viewerOf(request: Pick<HubRequest, 'headers'>): Viewer {
    const found = this.#find(request);
    if (found === undefined) return NOBODY;
    const { name, role } = found.session;
    if (isLookedAt(request)) this.#touch(found.session);
    const token = createHmac('sha256', found.secret).update(FORM_PURPOSE).digest();
    return { name, role, formToken: maskedToken(token, this.#parts.random) };
  }

  /** The session that a request is sent with. */
  sessionOf(request: Pick<HubRequest, 'headers'>): Session | undefined {
    return this.#find(request)?.session;
  }

  /** Calls back once, when a session is no longer valid: within a minute after it expires, else at once. Returns a function that cancels this. */
  whenOver({ hash: awaited }: Session, callback: () => void): () => void {
    const callbacks = this.#waiting.get(awaited) ?? new Set();
    this.#waiting.set(awaited, callbacks.add(callback));
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0) this.#waiting.delete(awaited);
    };
  }

  /** Valid sessions, the newest first. */
  all(): readonly Session[] {
    return [...this.#sessions.values()].filter((session) => !this.#isOver(session)).reverse();
  }

  /** Gives the `Set-Cookie` of the new session. Durable when it resolves; throws what the store throws, and nothing began then. */
  async begin(who: NewSession): Promise<string> {
    const secret = Buffer.from(this.#parts.random(SECRET_BYTES)).toString('base64url');
    const nowMs = this.#clock.now();
    const session: Session = { ...who, hash: hash('sha256', secret, 'hex'), createdMs: nowMs, seenMs: nowMs };
    await this.#parts.store.write({ begun: [session] });
    if (this.#sessions.size > MOST_SESSIONS) this.#drop(this.#longestUnseen());
    return this.#parts.cookie.set(secret, this.#parts.hours * 3600);
  }

  /** Ends the matching sessions, and returns how many. Throws what the store throws; they are invalid anyway. */
  async end(isMeant: (session: Session) => boolean): Promise<number> {
    const meant = [...this.#sessions.values()].filter(isMeant);
    for (const session of meant) this.#drop(session);
    await this.#write();
    return meant.length;
  }

  /** Writes down what is not yet, and drops what is over. Called from time to time, and at the end. */
  async flush(): Promise<void> {
    for (const session of this.#sessions.values()) if (this.#isOver(session)) this.#drop(session);
    try {
      await this.#write();
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      this.#parts.onProblem(error);
    }
  }

  #find({ headers }: Pick<HubRequest, 'headers'>): { readonly session: Session; readonly secret: string } | undefined {
    const secrets = this.#parts.cookie.valuesIn(headers.cookie).slice(0, MOST_COOKIES);
    const found = secrets.flatMap((secret) => {
      const session = SECRET.test(secret) ? this.#sessions.get(hash('sha256', secret, 'hex')) : undefined;
      return session === undefined || this.#isOver(session) ? [] : [{ session, secret }];
    });
    // Of two valid ones, somebody else set one.
    return found.length === 1 ? found[0] : undefined;
  }

  #isOver({ createdMs, seenMs }: Session): boolean {
    const nowMs = this.#clock.now();
    const { hours, idleMinutes } = this.#parts;
    return nowMs >= createdMs + hours * HOUR_MS || nowMs >= seenMs + idleMinutes * MINUTE_MS;
  }

  #touch(session: Session): void {
    const seenMs = this.#clock.now();
    this.#sessions.set(session.hash, { ...session, seenMs });
    this.#seen.set(session.hash, seenMs);
  }

  #drop({ hash: ended }: Session): void {
    this.#sessions.delete(ended);
    this.#seen.delete(ended);
    this.#ended.add(ended);
    const callbacks = this.#waiting.get(ended) ?? [];
    this.#waiting.delete(ended);
    for (const callback of callbacks) callback();
  }

  #longestUnseen(): Session {
    return [...this.#sessions.values()].reduce((one, other) => (other.seenMs < one.seenMs ? other : one));
  }

  async #write(): Promise<void> {
    if (this.#seen.size + this.#ended.size === 0) return;
    const seen = [...this.#seen].map(([seenHash, seenMs]) => ({ hash: seenHash, seenMs }));
    await this.#parts.store.write({ seen, ended: [...this.#ended] });
  }

  /** Takes a write of this or another process of the hub. */
  #hear({ begun = [], seen = [], ended = [] }: SessionWrite): void {
    for (const session of begun) this.#sessions.set(session.hash, session);
    for (const { hash: seenHash, seenMs } of seen) {
      const session = this.#sessions.get(seenHash);
      if (session !== undefined && session.seenMs < seenMs) this.#sessions.set(seenHash, { ...session, seenMs });
      if ((this.#seen.get(seenHash) ?? 0) <= seenMs) this.#seen.delete(seenHash);
    }
    for (const hash of ended) {
      const session = this.#sessions.get(hash);
      if (session !== undefined) this.#drop(session);
      this.#ended.delete(hash);
    }
  }
}

/** A page that reads itself again while nobody is there keeps nobody signed in. */
function isLookedAt({ headers }: Pick<HubRequest, 'headers'>): boolean {
  return headers['sec-fetch-dest'] !== 'empty';
}
