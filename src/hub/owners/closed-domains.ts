import type { HubStore } from '../store/hub-store.ts';
import { coversHost } from './covered-sources.ts';

/** A domain whose owner wants no visitor of the hub to have it followed. */
export interface ClosedDomain {
  readonly domain: string;
  readonly atMs: number;
}

const FACT = 'closed-domains';
const MOST = 10_000;

/** Domains that nobody may ask for any more, since their owners removed a source of theirs. The operator can open them again. */
export class ClosedDomains {
  readonly #store: Pick<HubStore, 'putFact'>;
  readonly #closed: Map<string, number>;

  private constructor(store: Pick<HubStore, 'putFact'>, closed: Map<string, number>) {
    this.#store = store;
    this.#closed = closed;
  }

  static async load(store: Pick<HubStore, 'fact' | 'putFact'>): Promise<ClosedDomains> {
    return new ClosedDomains(store, new Map(JSON.parse((await store.fact(FACT)) ?? '[]')));
  }

  all(): readonly ClosedDomain[] {
    return Array.from(this.#closed, ([domain, atMs]) => ({ domain, atMs }));
  }

  /** The closed domain of a host; undefined if there is none. */
  over(hostname: string): string | undefined {
    for (let name = hostname; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
      if (this.#closed.has(name) && coversHost(name, hostname)) return name;
    }
    return undefined;
  }

  async close(domain: string, atMs: number): Promise<void> {
    this.#closed.delete(domain);
    this.#closed.set(domain, atMs);
    const [oldest] = this.#closed.keys();
    if (this.#closed.size > MOST && oldest !== undefined) this.#closed.delete(oldest);
    await this.#write();
  }

  /** False: it was not closed. */
  async open(domain: string): Promise<boolean> {
    if (!this.#closed.delete(domain)) return false;
    await this.#write();
    return true;
  }

  async #write(): Promise<void> {
    await this.#store.putFact(FACT, JSON.stringify([...this.#closed]));
  }
}
