import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { HubRequest } from '../../hub/http/route.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly isAdmin: boolean;
  readonly proxies: TrustedProxies;
}

/** A request as handlers see it. What costs something is made when it is asked for. */
export class FastifyHubRequest implements HubRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly isAdmin: boolean;
  readonly #proxies: TrustedProxies;
  readonly #raw: IncomingMessage;
  readonly #response: ServerResponse;
  #query: URLSearchParams | undefined;
  #signal: AbortSignal | undefined;

  constructor(raw: IncomingMessage, response: ServerResponse, { params, body, isAdmin, proxies }: RequestParts) {
    const method = raw.method ?? 'GET';
    this.method = method === 'HEAD' ? 'GET' : method;
    this.params = params;
    this.body = body;
    this.isAdmin = isAdmin;
    this.#proxies = proxies;
    this.#raw = raw;
    this.#response = response;
  }

  get headers(): Readonly<Record<string, string | undefined>> {
    const headers = singleValues(this.#raw.headers);
    if (this.#raw.method !== 'HEAD' || headers.range === undefined) return headers;
    // RFC 9110 §14.2: a part can be asked for with GET only.
    const { range: _range, ...others } = headers;
    return others;
  }

  get clientIp(): string {
    return this.#proxies.clientIp(this.#raw);
  }

  get query(): URLSearchParams {
    if (this.#query === undefined) {
      const url = this.#raw.url ?? '';
      const start = url.indexOf('?');
      this.#query = new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
    }
    return this.#query;
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#response);
    return this.#signal;
  }
}

/** Aborted when the connection ends before the whole answer is handed over. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const end = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed || response.closed) end();
  else response.once('close', end);
  return controller.signal;
}

function singleValues(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  if (hasSingleValues(headers)) return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

/** Node joins the values of every other name itself. */
function hasSingleValues(headers: IncomingHttpHeaders): headers is Record<string, string | undefined> {
  return headers['set-cookie'] === undefined;
}
