import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { TrustedProxies } from './trusted-proxies.ts';

const PROXIES = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8'];

function clientIp(proxies: readonly string[], remoteAddress: string | undefined, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return new TrustedProxies(proxies).clientIp({ socket: { remoteAddress }, headers } as IncomingMessage);
}

test.each([
  ['nobody is trusted', [], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['the connection is not of a proxy', PROXIES, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['a proxy tells nothing', PROXIES, '10.1.2.3', undefined, '10.1.2.3'],
  ['a proxy tells an empty list', PROXIES, '10.1.2.3', ' , ', '10.1.2.3'],
  ['a proxy tells', PROXIES, '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['the client told the proxy something before', PROXIES, '10.1.2.3', '192.0.2.1, 198.51.100.1', '198.51.100.1'],
  ['a proxy behind a proxy', PROXIES, '192.0.2.1', '6.6.6.6,198.51.100.1 , 10.9.9.9', '198.51.100.1'],
  ['proxies all the way', PROXIES, '192.0.2.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ['nonsense is not passed over', PROXIES, '192.0.2.1', '10.0.0.1, unknown, 10.0.0.2', 'unknown'],
  ['IPv6', PROXIES, 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['IPv4 written as IPv6', PROXIES, '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a connection that is gone', PROXIES, undefined, '198.51.100.1', ''],
])('who asks: %s', (_, proxies, remoteAddress, forwarded, client) => {
  expect(clientIp(proxies, remoteAddress, forwarded)).toBe(client);
});

test.each(['nonsense', '10.0.0.0/33', '10.0.0.0/x', '::1/129', ''])('%j is no proxy', (proxy) => {
  expect(() => new TrustedProxies([proxy])).toThrow(SettingRefusedError);
});
