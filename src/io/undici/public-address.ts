import ipaddr from 'ipaddr.js';

/** https://www.iana.org/assignments/ipv6-address-space: the only block from which global unicast is given out. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for an address literal on the public internet, false for any other text.
 *
 * An IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) would lead past the guard, so
 * the mapped one counts as what it contains and the others are refused.
 */
export function isPublicAddress(literal: string): boolean {
  if (!ipaddr.isValid(literal)) return false;
  const address = ipaddr.process(literal);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_UNICAST) && !isIsatap(address) : true;
}

/** RFC 5214 §6.1: the last 64 bits are `[02]00:5efe` and an IPv4 address, below any prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && ((parts[4] ?? 0) & ~0x0200) === 0;
}
