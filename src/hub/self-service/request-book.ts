import type { HubStore } from '../store/hub-store.ts';

/** A request and its result. For the operator. */
export interface KeptRequest {
  readonly atMs: number;
  readonly url: string;
  /** By what its requests are counted. */
  readonly client: string;
  /** The source that was added; absent: it was refused. */
  readonly source?: string;
  readonly reason?: string;
}

const FACT = 'follow-requests';
const MOST = 100;
const MAX_TEXT = 500;

/** The newest requests, kept over restarts. The settings limit how many there are per day. */
export class RequestBook {
  readonly #store: Pick<HubStore, 'putFact'>;
  #requests: readonly KeptRequest[];

  private constructor(store: Pick<HubStore, 'putFact'>, requests: readonly KeptRequest[]) {
    this.#store = store;
    this.#requests = requests;
  }

  static async open(store: Pick<HubStore, 'fact' | 'putFact'>): Promise<RequestBook> {
    return new RequestBook(store, JSON.parse((await store.fact(FACT)) ?? '[]'));
  }

  /** Newest first. */
  all(): readonly KeptRequest[] {
    return this.#requests;
  }

  async keep({ url, reason, ...rest }: KeptRequest): Promise<void> {
    const cut = { ...rest, url: url.slice(0, MAX_TEXT), ...(reason && { reason: reason.slice(0, MAX_TEXT) }) };
    this.#requests = [cut, ...this.#requests].slice(0, MOST);
    await this.#store.putFact(FACT, JSON.stringify(this.#requests));
  }
}
