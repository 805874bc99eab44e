import type { ServerResponse } from 'node:http';
import { hostNameOf, misdirected } from '../../hub/http/own-hosts.ts';
import { problem } from '../../hub/http/problem.ts';
import { isHost, readTarget } from '../../hub/http/request-target.ts';
import type { HubResponse } from '../../hub/http/route.ts';
import type { HubMetrics } from '../../hub/watch/metrics.ts';
import type { FastifyExchange, RouteTraits } from './exchange.ts';
import type { RequestListener } from './known-paths.ts';
import type { OpenConnections } from './open-connections.ts';
import { tooLong } from './socket-problem.ts';

interface GateParts {
  readonly exchange: FastifyExchange;
  readonly metrics: HubMetrics;
  readonly connections: OpenConnections;
  readonly urlCharacters: number;
  readonly hosts?: readonly string[] | undefined;
  /** Paths at which a request for another host is forbidden (403), and not led elsewhere (421). */
  readonly guardedPaths?: readonly string[] | undefined;
}

/** Stands before the router: what passes has a path that means the same to everybody. */
export function createGate(
  { exchange, metrics, connections, urlCharacters, hosts: own, guardedPaths = [] }: GateParts,
  next: RequestListener,
): RequestListener {
  const traits: RouteTraits = { cors: false, metrics: metrics.route('(refused)') };
  const judgeHost = hostJudge(own);
  const refuse = (response: ServerResponse, answer: HubResponse) => {
    exchange.refuse({ raw: response, route: traits, startedAt: performance.now() }, answer);
  };

  return (request, response) => {
    // A stream ends with its connection: a later request on it would wait forever.
    if (connections.isStream(request.socket)) {
      request.socket.destroy();
      return;
    }
    const target = readTarget(request.url ?? '', urlCharacters);
    if (target.is === 'too-long') return refuse(response, problem({ status: 414, detail: tooLong(urlCharacters) }));
    if (target.is === 'malformed') return refuse(response, MALFORMED);
    const hosts = countHosts(request.rawHeaders);
    // RFC 9112 §3.2.
    if (hosts === 0 && request.httpVersion === '1.1') return refuse(response, WITHOUT_HOST);
    const refusal = hosts > 1 ? BAD_HOST : judgeHost(request.headers.host ?? '');
    if (refusal !== undefined) {
      const isGuarded = guardedPaths.includes(target.url.split('?', 1)[0] ?? '');
      return refuse(response, isGuarded && refusal.status === MISDIRECTED ? FORBIDDEN : refusal);
    }
    const { expect } = request.headers;
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') return refuse(response, UNEXPECTED);
    request.url = target.url;
    next(request, response);
  };
}

const MOST_HOSTS = 100;
const MOST_HOST_CHARACTERS = 255;

/** Says why a `Host` is refused, or undefined. Clients name the same few again and again: those that are right are remembered. */
function hostJudge(own: readonly string[] | undefined): (host: string) => HubResponse | undefined {
  const right = new Set<string>();
  return (host) => {
    if (right.has(host)) return undefined;
    if (!isHost(host)) return BAD_HOST;
    if (own !== undefined && host !== '' && !own.includes(hostNameOf(host))) return misdirected(host, own);
    if (right.size >= MOST_HOSTS) right.clear();
    if (host.length <= MOST_HOST_CHARACTERS) right.add(host);
    return undefined;
  };
}

/** Node shows the first alone. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

const MISDIRECTED = 421;
const FORBIDDEN = problem({ status: 403, detail: 'This hub does not answer to the host that the request names.' });
const MALFORMED = problem({ status: 400, detail: 'The path is not one that this server reads.' });
const WITHOUT_HOST = problem({ status: 400, detail: 'The request has no Host header.' });
const BAD_HOST = problem({ status: 400, detail: 'The request must name one host, as host or host:port.' });
const UNEXPECTED = problem({ status: 417, detail: 'Of all that can be expected, this server knows 100-continue.' });
