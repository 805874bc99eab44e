import { expect, test } from 'vitest';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { dnsServerAddress } from './server-address.ts';

test.each([
  ['1.1.1.1', '1.1.1.1:53'],
  ['127.0.0.1:5353', '127.0.0.1:5353'],
  ['2606:4700:4700::1111', '[2606:4700:4700::1111]:53'],
  ['[::1]', '[::1]:53'],
  ['[::1]:5353', '[::1]:5353'],
])('%s is %s', (text, address) => {
  expect(dnsServerAddress(text)).toBe(address);
});

test.each([
  '',
  'dns.example',
  'localhost:53',
  '1.1.1',
  '1.1.1.1:',
  '1.1.1.1:0',
  '1.1.1.1:65536',
  '1.1.1.1:x',
  '[1.1.1.1]',
  '[::1',
  '::1]',
  '[fe80::1%eth0]:53',
  '1.1.1.1,8.8.8.8',
])('%j is refused', (text) => {
  expect(() => dnsServerAddress(text)).toThrow(SettingRefusedError);
});
