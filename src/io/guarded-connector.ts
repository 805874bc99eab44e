import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';

export interface GuardOptions {
  readonly allowPrivate: boolean;
  /** Certificate authorities in PEM, beside the usual ones. */
  readonly ca?: string;
}

/** Thrown inside a connection; the client turns it into an AddressRefusedError, which knows the URL. */
export class RefusedAddress extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`${address} is not a public address`);
    this.address = address;
  }
}

/**
 * A connector that reaches public addresses only: it checks a literal, then every address that a name resolves to,
 * then the one that the socket is connected to, so that a name which answers differently the second time gains nothing.
 */
export function createGuardedConnector({ allowPrivate, ca }: GuardOptions): buildConnector.connector {
  const guarded = !allowPrivate;
  const connect = buildConnector({
    timeout: 10_000,
    ...(guarded && { lookup: lookupPublic }),
    ...(ca !== undefined && { ca: [...usualAuthorities(), ca] }),
  });
  if (!guarded) return connect;

  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isPublicAddress(host)) {
      callback(new RefusedAddress(host), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const address = remoteAddress(socket);
      if (isPublicAddress(address)) return callback(null, socket);
      socket.destroy();
      callback(new RefusedAddress(address), null);
    });
  };
}

const lookupPublic: LookupFunction = (hostname: string, options: LookupOptions, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) return callback(error, []);
    const refused = addresses.find(({ address }) => !isPublicAddress(address));
    if (refused !== undefined) return callback(new RefusedAddress(refused.address), []);
    const [first] = addresses;
    if (options.all || first === undefined) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

/** In Node, an explicit `ca` replaces the built-in list and that of NODE_EXTRA_CA_CERTS, so both are passed along. */
function usualAuthorities(): string[] {
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return extra ? [...rootCertificates, readFileSync(extra, 'utf8')] : [...rootCertificates];
}

function remoteAddress(socket: Socket): string {
  return socket.remoteAddress ?? 'an unknown address';
}
