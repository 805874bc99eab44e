import type { LivePages } from '../../crawl/live-page.ts';
import { HostPausedError, PageGoneError, PageStatusError } from '../../errors/crawl-error.ts';
import { abortable } from '../../fetch/abortable.ts';
import type { PoliteClient } from '../../fetch/polite-client.ts';
import type { VisitPorts } from './visit-ports.ts';

/** A host with a Crawl-delay up to this is still read. */
const MAX_TURN_MS = 120_000;
const PAUSING = [429, 503];
const OK = 200;

export interface CarefulClients {
  readonly client: PoliteClient;
  readonly pages: LivePages;
}

/**
 * The HTTP clients of a visit to a site. A known page is gone only if its host says so twice. A host that asked for a pause is left at once; the clients wait
 * for one that answers but asks for a slow pace.
 */
export function createCarefulClients(
  { client, pages, signal }: Pick<VisitPorts, 'client' | 'pages' | 'signal'>,
  isKnown: (address: string) => boolean,
): CarefulClients {
  /** Hosts that answered in this visit without asking for a pause: only their pace delays us. */
  const willing = new Set<string>();
  const note = (url: URL, status: number) => {
    if (PAUSING.includes(status)) willing.delete(url.host);
    else willing.add(url.host);
  };
  const inTurn = async <T>(ask: (more: { readonly maxWaitMs?: number }) => Promise<T>): Promise<T> => {
    try {
      return await ask({});
    } catch (error) {
      const isPace =
        error instanceof HostPausedError && willing.has(error.url.host) && error.retryAfterMs <= MAX_TURN_MS;
      if (!isPace) throw error;
      return await ask({ maxWaitMs: MAX_TURN_MS });
    }
  };
  const readPage: LivePages['read'] = async (request) => {
    try {
      const answer = await inTurn((more) => pages.read({ ...request, ...more }));
      note(answer.url, OK);
      return answer;
    } catch (error) {
      if (error instanceof PageGoneError || error instanceof PageStatusError) note(error.url, error.status);
      throw error;
    }
  };
  return {
    client: {
      async get(request) {
        const response = await inTurn((more) => client.get({ ...request, ...more }));
        note(response.url, response.status);
        return response;
      },
      sitemapsOf: (origin) => abortable(client.sitemapsOf(origin), origin, signal),
    },
    pages: {
      async read(request) {
        try {
          return await readPage(request);
        } catch (error) {
          if (!(error instanceof PageGoneError) || !isKnown(request.url.href)) throw error;
          const { validators: _, ...again } = request;
          return await readPage(again);
        }
      },
    },
  };
}
