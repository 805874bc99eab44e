import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse } from '../http/route.ts';

export interface LineLimits {
  /** So many run side by side. */
  readonly atOnce: number;
  /** Of those, so many of one client. */
  readonly ofClient: number;
  /** So many wait; of one client as many as may run. */
  readonly inLine: number;
  readonly waitMs: number;
}

export interface LineOptions extends LineLimits {
  /** Resolves after so long, or at once when the signal says so. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Waiting {
  readonly client: string;
  begin(): void;
}

/**
 * Who may have a document read now. A client with many requests waits behind those with few, nobody waits for longer than a bounded time, and who
 * cannot be served is told to come again (503).
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
