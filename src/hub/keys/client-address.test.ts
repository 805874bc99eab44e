import { expect, test } from 'vitest';
import { clientOfAddress } from './client-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1%eth0', '192.0.2.1'],
  ['192.0.2.1:8080', '192.0.2.1'],
  ['[::ffff:192.0.2.1]:8080', '192.0.2.1'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0000:0000:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:3:4:5::', '2001:db8:1:2::/64'],
  ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
  ['[2001:db8::1]', '2001:db8:0:0::/64'],
  ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::2%25eth1', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  // Not 0:…:ffff: the mark stands elsewhere, or something stands before it.
  ['::ffff:0:192.0.2.1', '0:0:0:0::/64'],
  ['1::ffff:192.0.2.1', '1:0:0:0::/64'],
])('%s is counted as %s', (address, client) => {
  expect(clientOfAddress(address)).toBe(client);
});

test.each([
  '',
  'unknown',
  ':::',
  '1::2::3',
  '1:2:3',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8',
  'g::1',
  '12345::',
  '1.2.3.4::',
  '::ffff:256.0.0.1',
])('what is no address stands for itself: %j', (text) => {
  expect(clientOfAddress(text)).toBe(text);
});

test('and is not kept at any length', () => {
  expect(clientOfAddress('x'.repeat(10_000))).toHaveLength(64);
  expect(clientOfAddress(':'.repeat(10_000))).toHaveLength(64);
});
