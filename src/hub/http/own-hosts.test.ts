import { expect, test } from 'vitest';
import { hostNameOf, ownHosts } from './own-hosts.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

test.each([
  ['127.0.0.1', LOOPBACK],
  ['localhost', LOOPBACK],
  ['::1', LOOPBACK],
  ['127.0.0.2', [...LOOPBACK, '127.0.0.2']],
  ['0.0.0.0', undefined],
  ['::', undefined],
  ['192.0.2.1', undefined],
  ['hub.example', undefined],
])('a hub that listens on %s answers to %j', (host, hosts) => {
  expect(ownHosts({ host })).toEqual(hosts);
});

test('the public address and other names are added, in lower case', () => {
  const settings = { host: '127.0.0.1', baseUrl: 'https://Hub.example:8443/x/', hosts: ['Feeds.example', 'localhost'] };
  expect(ownHosts(settings)).toEqual([...LOOPBACK, 'hub.example', 'feeds.example']);
});

test.each([
  ['Hub.example:8080', 'hub.example'],
  ['[::1]:80', '[::1]'],
  ['[::1]', '[::1]'],
  ['a.example:', 'a.example'],
])('%s names %s', (host, name) => {
  expect(hostNameOf(host)).toBe(name);
});
