import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse } from '../http/route.ts';

export interface LineLimits {
  /** How many run at the same time. */
  readonly atOnce: number;
  /** How many of those one client may have. */
  readonly ofClient: number;
  /** How many may wait; one client may have as many waiting as running. */
  readonly inLine: number;
  readonly waitMs: number;
}

export interface LineOptions extends LineLimits {
  /** Resolves after this time, or as soon as the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Waiting {
  readonly client: string;
  begin(): void;
}

/**
 * Decides who may have a document read now. A client with many requests waits behind those with few, the wait is bounded, and a client that cannot be served
 * is asked to come back later (503).
 */
export class DocumentLine {
  readonly #options: LineOptions;
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #atOnce = 0;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  async run(
    client: string,
    { signal }: Pick<HubRequest, 'signal'>,
    work: () => Promise<HubResponse>,
  ): Promise<HubResponse> {
    if (!(await this.#isLetIn(client, signal))) return crowded();
    try {
      return await work();
    } finally {
      this.#end(client);
    }
  }

  async #isLetIn(client: string, signal: AbortSignal): Promise<boolean> {
    if (this.#mayBegin(client)) {
      this.#begin(client);
      return true;
    }
    const { inLine, ofClient, waitMs, wait } = this.#options;
    const own = this.#waiting.filter((waiting) => waiting.client === client).length;
    if (this.#waiting.length >= inLine || own >= ofClient) return false;

    const begun = new AbortController();
    const waiting = { client, begin: () => begun.abort() };
    this.#waiting.push(waiting);
    await wait(waitMs, AbortSignal.any([signal, begun.signal]));
    if (begun.signal.aborted) return true;
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    return false;
  }

  #mayBegin(client: string): boolean {
    const { atOnce, ofClient } = this.#options;
    return this.#atOnce < atOnce && (this.#running.get(client) ?? 0) < ofClient;
  }

  #begin(client: string): void {
    this.#atOnce++;
    this.#running.set(client, (this.#running.get(client) ?? 0) + 1);
  }

  #end(client: string): void {
    this.#atOnce--;
    const left = (this.#running.get(client) ?? 1) - 1;
    if (left === 0) this.#running.delete(client);
    else this.#running.set(client, left);
    const at = this.#waiting.findIndex((waiting) => this.#mayBegin(waiting.client));
    const [next] = at === -1 ? [] : this.#waiting.splice(at, 1);
    if (next === undefined) return;
    this.#begin(next.client);
    next.begin();
  }
}

function crowded(): HubResponse {
  const detail = 'Too many documents are being read now, by this client or by all. Try again in a second.';
  return problem({ status: 503, detail }, { 'retry-after': '1' });
}
