import type { SelfServiceSettings } from '../config/self-service.ts';
import { namedAddresses } from '../config/source-address.ts';
import type { RateLimiter } from '../keys/rate-limiter.ts';
import type { SourceAccess } from '../keys/source-access.ts';
import { createIdMaker } from '../source-lists/source-guess.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import type { Watch } from '../watch/watch-port.ts';
import type { KeptRequest, RequestBook } from './request-book.ts';
import { NOT_PUBLIC, type SiteConsent } from './site-consent.ts';

/** The result of a request. */
export type FollowOutcome =
  | { readonly is: 'added' | 'watched'; readonly source: WatchedSource }
  | {
      readonly is: 'refused';
      readonly status: 403 | 422 | 429 | 503;
      readonly reason: string;
      readonly waitMs?: number;
    };

export interface FollowRequestsParts {
  readonly watch: Pick<Watch, 'sources'>;
  /** What strangers may do with sources. */
  readonly access: Pick<SourceAccess, 'all' | 'decode' | 'add'>;
  readonly settings: SelfServiceSettings;
  /** Per day. */
  readonly limiter: RateLimiter;
  readonly book: Pick<RequestBook, 'keep'>;
  lookAt(url: URL, signal: AbortSignal): Promise<SiteConsent>;
  /** Whether the name alone says that a host is none of the public web. */
  isPublicName(hostname: string): boolean;
  /** Why nobody may ask for a host, where its owner or the operator said so. */
  closedFor(hostname: string): string | undefined;
  /** For the log of the hub. */
  onOutcome(request: KeptRequest): void;
  now(): number;
}

type Refusal = Extract<FollowOutcome, { is: 'refused' }>;

const HUB = '(all)';
const MOST_AT_ONCE = 4;
const BUSY: Refusal = {
  is: 'refused',
  status: 503,
  reason: 'Several sites are looked at just now. Try again soon.',
  waitMs: 10_000,
};

/** Takes what strangers ask to be followed. What costs others something is counted before it is done. */
export class FollowRequests {
  readonly #parts: FollowRequestsParts;
  /** Hosts that are looked at now. */
  readonly #looking = new Set<string>();

  constructor(parts: FollowRequestsParts) {
    this.#parts = parts;
  }

  /** How many more are considered today. */
  leftToday(): number {
    const { limiter, settings } = this.#parts;
    return limiter.look(HUB, settings.perDay).remaining;
  }

  /** Sources that strangers asked for. */
  followed(): readonly WatchedSource[] {
    return this.#parts.access.all();
  }

  /** `client`: by what its requests are counted. */
  async ask(url: URL, client: string, signal: AbortSignal): Promise<FollowOutcome> {
    const watched = this.#watchedOn(url.host);
    if (watched !== undefined) return { is: 'watched', source: watched };
    const refusal = this.#refusalOf(url, client);
    if (refusal !== undefined) return refusal;
    this.#looking.add(url.host);
    try {
      return await this.#lookAndAdd(url, client, signal);
    } finally {
      this.#looking.delete(url.host);
    }
  }

  #refusalOf({ hostname, host }: URL, client: string): Refusal | undefined {
    const { settings, limiter, isPublicName, closedFor } = this.#parts;
    if (!isPublicName(hostname)) return { is: 'refused', status: 403, reason: NOT_PUBLIC };
    const closed = closedFor(hostname);
    if (closed !== undefined) return { is: 'refused', status: 403, reason: closed };
    if (this.followed().length >= settings.most) {
      return { is: 'refused', status: 403, reason: 'This hub follows as many sites of its visitors as it can.' };
    }
    if (this.#looking.has(host) || this.#looking.size >= MOST_AT_ONCE) return BUSY;
    const all = limiter.look(HUB, settings.perDay);
    if (all.remaining === 0)
      return tooMany('This hub has looked at all the sites that it looks at in a day.', all.leftMs);
    const own = limiter.take(client, settings.perClient);
    if (!own.isAllowed) return tooMany(`You may ask for ${settings.perClient} sites a day, and have.`, own.leftMs);
    limiter.take(HUB, settings.perDay);
    return undefined;
  }

  async #lookAndAdd(url: URL, client: string, signal: AbortSignal): Promise<FollowOutcome> {
    const { access, lookAt } = this.#parts;
    const look = await lookAt(url, signal);
    if (look.is !== 'open') {
      await this.#note({ url: url.href, client, reason: look.reason });
      const status = look.is === 'closed' ? 403 : look.is === 'later' ? 503 : 422;
      return { is: 'refused', status, reason: look.reason, ...(status === 503 && { waitMs: 60_000 }) };
    }
    // Where it leads to may be watched already.
    const watched = this.#watchedOn(look.url.host);
    if (watched !== undefined) return { is: 'watched', source: watched };
    const source = await access.add(access.decode(this.#configOf(look.url), ''));
    await this.#note({ url: look.url.href, client, source: source.config.id });
    return { is: 'added', source };
  }

  #configOf(url: URL): object {
    const { watch, settings } = this.#parts;
    const folder = new URL('.', url);
    folder.search = '';
    const id = createIdMaker(watch.sources().map(({ config }) => config.id))(folder);
    return { id, kind: 'auto', url: folder.href, tellsOf: 'pages', intervalSeconds: settings.everyMinutes * 60 };
  }

  #watchedOn(host: string): WatchedSource | undefined {
    const isOn = (address: string) => address.includes(host) && new URL(address).host === host;
    return this.#parts.watch.sources().find(({ config }) => namedAddresses(config).some(isOn));
  }

  async #note(request: Omit<KeptRequest, 'atMs'>): Promise<void> {
    const { book, onOutcome, now } = this.#parts;
    const kept = { atMs: now(), ...request };
    onOutcome(kept);
    await book.keep(kept);
  }
}

function tooMany(reason: string, waitMs: number): Refusal {
  return { is: 'refused', status: 429, reason, waitMs };
}
