import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Whether every address of a host is one of our own network. A name that does not resolve is none of ours. */
export async function isPrivateHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return !isPublicAddress(host);
  if (/(?:^|\.)localhost\.?$/i.test(host)) return true;
  try {
    const addresses = await lookup(host, { all: true });
    return addresses.length > 0 && addresses.every(({ address }) => !isPublicAddress(address));
  } catch {
    return false;
  }
}
