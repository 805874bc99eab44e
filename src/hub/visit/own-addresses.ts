import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import { ownFeedError } from '../../errors/refusals.ts';
import type { HttpClient } from '../../fetch/http-client.ts';
import type { VisitPorts } from './visit-ports.ts';

/** All of these lead to this machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '0.0.0.0', '[::1]', '[::]', '[::ffff:7f00:1]'];

/** An HTTP client that does not reach the hub itself, not even through a redirect: that throws an `OwnFeedError`. */
export function shunning(http: HttpClient, ownAddresses: VisitPorts['ownAddresses'] = () => []): HttpClient {
  const ensureForeign = (url: URL) => {
    if (ownAddresses().some((own) => isBelow(url, own))) throw ownFeedError(url);
  };
  return {
    get: (request) =>
      http.get({
        ...request,
        async beforeHop(url) {
          ensureForeign(url);
          await request.beforeHop?.(url);
        },
      }),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

/** Whether a URL is below the address of a hub. A hub that listens at one name of this machine can be reached at all of them. */
export function isBelow(url: URL, address: string): boolean {
  if (!canParseUrl(address)) return false;
  const own = new URL(address);
  const folder = own.pathname.replace(/[^/]*$/, '');
  return hostOf(url) === hostOf(own) && `${url.pathname}/`.startsWith(folder);
}

/** The scheme does not count: behind a proxy, one hub has both. */
function hostOf({ protocol, hostname, port }: URL): string {
  const isPlain = port === '' && (protocol === 'http:' || protocol === 'https:');
  const name = hostname.replace(/\.$/, '');
  return `${LOOPBACK.includes(name) ? 'localhost' : name}:${isPlain ? '' : port}`;
}
