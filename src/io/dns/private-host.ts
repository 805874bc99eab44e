import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../undici/public-address.ts';

/** Whether every address of a host is one of our own network. A name that does not resolve is none of ours. */
export async function resolvesToPrivateHost(hostname: string): Promise<boolean> {
  if (isPrivateName(hostname)) return true;
  try {
    const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
    return addresses.length > 0 && addresses.every(({ address }) => !isPublicAddress(address));
  } catch {
    return false;
  }
}

/** Whether the name alone shows it: the literal of a private address, or `localhost`. */
export function isPrivateName(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? /(?:^|\.)localhost\.?$/i.test(host) : !isPublicAddress(host);
}
