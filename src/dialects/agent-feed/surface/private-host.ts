/** True if the literal is an address on the public internet. */
export type IsPublicAddress = (literal: string) => boolean;

/** RFC 6762, RFC 6761, RFC 8375, and names that ICANN reserves for private networks. */
const INSIDE = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/** Whether a host is known only inside a private network: by its address, its name, or because its name has one label. */
export function isPrivateHost({ hostname }: URL, isPublicAddress: IsPublicAddress): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return !isPublicAddress(host.slice(1, -1));
  if (/^[\d.]+$/.test(host)) return !isPublicAddress(host);
  return !host.includes('.') || INSIDE.test(host);
}
