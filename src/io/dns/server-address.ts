import { isIPv4, isIPv6 } from 'node:net';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';

const DNS_PORT = 53;
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/;

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`, as an address with its port. */
export function dnsServerAddress(text: string): string {
  const [, bracketed, plain, digits] = WITH_PORT.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  const port = Number(digits ?? DNS_PORT);
  if (port >= 1 && port <= 65_535) {
    if (isIPv4(address) && bracketed === undefined) return `${address}:${port}`;
    if (isIPv6(address) && !address.includes('%')) return `[${address}]:${port}`;
  }
  throw new SettingRefusedError('--resolver', text, 'Give the address of a DNS server, like 1.1.1.1 or [::1]:5353.');
}
