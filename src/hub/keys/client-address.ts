const GROUPS = 8;
/** The first 64 of the 128 bits of an IPv6 address name a network; one client has all addresses in it. */
const NETWORK_GROUPS = 4;
/** An address is never longer; what a proxy writes in its place may be. */
const MAX_CHARACTERS = 64;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/**
 * By what the requests of a client without a key are counted: its IPv4 address, or the /64 of its IPv6 address.
 *
 * @example
 * clientOfAddress('::ffff:192.0.2.1'); // '192.0.2.1'
 * clientOfAddress('2001:db8::1'); // '2001:db8:0:0::/64'
 */
export function clientOfAddress(address: string): string {
  if (!address.includes(':')) return address.slice(0, MAX_CHARACTERS);
  const bare = bareAddress(address);
  if (IPV4.test(bare)) return bare;
  const groups = ipv6Groups(bare);
  if (groups === undefined) return address.slice(0, MAX_CHARACTERS);
  const [, , , , , mark, high = 0, low = 0] = groups;
  if (mark === 0xffff && groups.slice(0, 5).every((group) => group === 0)) return ipv4Of(high, low);
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** Without a zone (`fe80::1%eth0`), and without the port that some proxies write: `[::1]:8080`, `192.0.2.1:8080`. */
function bareAddress(address: string): string {
  const inBrackets = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address;
  const withoutPort = /^([\d.]+):\d+$/.exec(inBrackets)?.[1] ?? inBrackets;
  return withoutPort.replace(/%.*$/s, '');
}

/** The eight numbers of an address (RFC 4291 §2.2); undefined for anything else. */
function ipv6Groups(text: string): number[] | undefined {
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const before = groupsOf(head, tail === undefined);
  const behind = tail === undefined ? [] : groupsOf(tail, true);
  if (before === undefined || behind === undefined) return undefined;
  const left = GROUPS - before.length - behind.length;
  const isWhole = tail === undefined ? left === 0 : left > 0;
  return isWhole ? [...before, ...Array<number>(left).fill(0), ...behind] : undefined;
}

/** The last two may be written as IPv4 is, at the end of an address only. */
function groupsOf(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [at, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else if (isEnd && at === parts.length - 1 && IPV4.test(part)) groups.push(...groupsOfIpv4(part));
    else return undefined;
  }
  return groups;
}

function groupsOfIpv4(text: string): number[] {
  const [one = 0, two = 0, three = 0, four = 0] = text.split('.').map(Number);
  return [one * 256 + two, three * 256 + four];
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
