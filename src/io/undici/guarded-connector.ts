import { lookup as systemLookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction, Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { GuardOptions, LookupAll } from './guard-options.ts';
import { isPublicAddress } from './public-address.ts';

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
 * then the one that the socket is connected to. A name is resolved once, and what was checked is what is connected to,
 * so that a name which answers differently the second time gains nothing. `closing` ends connections in the making.
 */
export function createGuardedConnector(options: GuardOptions, closing: AbortSignal): buildConnector.connector {
  const { allowPrivate, ca, lookup = systemLookup, mayReach = isPublicAddress } = options;
  const connect = buildConnector({
    timeout: 10_000,
    // Said aloud, or NODE_TLS_REJECT_UNAUTHORIZED could switch it off.
    rejectUnauthorized: true,
    lookup: allowPrivate ? lookupOf(lookup, () => true) : lookupOf(lookup, mayReach),
    ...(ca !== undefined && { secureContext: contextWith(ca) }),
  });

  /** Nobody but the time limit would end an attempt that gets no answer, and until then the process would not end. */
  const underWay = new Set<unknown>();
  const giveUp = () => {
    for (const attempt of underWay) if (attempt instanceof Socket) attempt.destroy(new Error('The client was closed'));
  };
  closing.addEventListener('abort', giveUp, { once: true });

  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (!allowPrivate && isRefused(host, mayReach)) {
      callback(new RefusedAddress(host), null);
      return;
    }
    const attempt: unknown = connect(target, (...[error, socket]) => {
      underWay.delete(attempt);
      if (error !== null) return callback(error, null);
      const address = remoteAddress(socket);
      if (allowPrivate || mayReach(address)) return callback(null, withHonestReset(socket));
      socket.destroy();
      callback(new RefusedAddress(address), null);
    });
    if (!(attempt instanceof Socket)) return;
    underWay.add(attempt);
    attempt.once('close', () => underWay.delete(attempt));
  };
}

/** RFC 6761 §6.3: `localhost` and all names below it are this machine, whatever a resolver says. */
const THIS_MACHINE = /(?:^|\.)localhost\.?$/i;

function isRefused(host: string, mayReach: (address: string) => boolean): boolean {
  return isIP(host) === 0 ? THIS_MACHINE.test(host) : !mayReach(host);
}

/** One private address among the answers is enough to refuse them all. */
function lookupOf(lookup: LookupAll, mayReach: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answers) => {
      if (error !== null) return callback(error, []);
      const addresses = answers.map(({ address, family }) => ({ address, family }));
      const refused = addresses.find(({ address }) => !mayReach(address));
      if (refused !== undefined) return callback(new RefusedAddress(refused.address), []);
      const [first] = addresses;
      if (options.all || first === undefined) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

/**
 * undici takes ECONNRESET for the end of a body that has no length. A reset is never an end: under another code it is
 * an error like any other.
 */
function withHonestReset<S extends Socket>(socket: S): S {
  return socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'ECONNABORTED';
  });
}

let lastMade: { readonly ca: string; readonly context: SecureContext } | undefined;

/** Kept for the next connection and the next client: to make it, more than a hundred certificates are read. */
function contextWith(ca: string): SecureContext {
  if (lastMade?.ca !== ca) lastMade = { ca, context: createSecureContext({ ca: [...usualAuthorities(), ca] }) };
  return lastMade.context;
}

/** In Node, an explicit `ca` replaces the built-in list and that of NODE_EXTRA_CA_CERTS, so both are passed along. */
function usualAuthorities(): string[] {
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return extra ? [...rootCertificates, readFileSync(extra, 'utf8')] : [...rootCertificates];
}

function remoteAddress(socket: Socket): string {
  return socket.remoteAddress ?? 'an unknown address';
}
