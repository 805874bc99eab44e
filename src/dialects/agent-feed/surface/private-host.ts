/** True for the text of an address on the public internet. */
export type IsPublicAddress = (literal: string) => boolean;

/** RFC 6762, RFC 6761, RFC 8375, and names that ICANN keeps for the inside of networks. */
const INSIDE = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/** Whether a host is known only inside of a network: by its address, by its name, or as a name of one label. */
export function isPrivateHost({ hostname }: URL, isPublicAddress: IsPublicAddress): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return !isPublicAddress(host.slice(1, -1));
  if (/^[\d.]+$/.test(host)) return !isPublicAddress(host);
  return !host.includes('.') || INSIDE.test(host);
}
