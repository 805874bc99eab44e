import ipaddr from 'ipaddr.js';

/** https://www.iana.org/assignments/ipv6-address-space: the only block from which global unicast is given out. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Where clouds answer their own machines, with secrets among the answers. The others that are known lie in blocks that are not public:
 * 169.254.169.254 (most clouds), 100.100.100.200 (Alibaba), 192.0.0.192 (Oracle), fd00:ec2::254 (AWS), fd20:ce::254 (Google).
 *
 * https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
const CLOUD_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * True for an address literal on the public internet, false for any other text.
 *
 * An IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) would lead past the guard, so
 * the mapped one counts as what it contains and the others are refused.
 */
export function isPublicAddress(literal: string): boolean {
  if (!ipaddr.isValid(literal)) return false;
  const address = ipaddr.process(literal);
  if (address.range() !== 'unicast' || CLOUD_SERVICES.has(address.toString())) return false;
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_UNICAST) && !isIsatap(address) : true;
}

/** RFC 5214 §6.1: the last 64 bits are `[02]00:5efe` and an IPv4 address, below any prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && ((parts[4] ?? 0) & ~0x0200) === 0;
}
