import { expect, test } from 'vitest';
import { hostLimitRemarks } from './host-limits.ts';

const MIB = 1024 * 1024;
const rules = (count: number) =>
  Array.from({ length: count }, (_, index) => `/${index}\n  Content-Type: text/plain\n`).join('');
const WITHIN = { files: 20_000, sizes: new Map([['ai-changes.ndjson', 25 * MIB]]), headers: `# mine\n${rules(100)}` };

test('a site at the limits of hosts gets no remark', () => {
  expect(hostLimitRemarks(WITHIN)).toEqual([]);
});

test.each([
  ['20,001 files', { files: 20_001 }, /^the site has 20001 files\. Cloudflare Pages takes 20000, and 100000 on paid/],
  [
    'a feed of 26 MiB',
    { sizes: new Map([['ai-changes.ndjson', 26 * MIB]]) },
    /^ai-changes\.ndjson has 26 MiB\. Cloudflare Pages takes 25 MiB/,
  ],
  ['101 rules', { headers: rules(101) }, /^_headers has 101 rules\. Cloudflare Pages takes 100 /],
  ['a long line', { headers: `/\n  Link: ${'x'.repeat(2000)}\n` }, /^_headers has a line of 2008 characters/],
])('%s: one remark that names the host and what to do', (_, more, expected) => {
  const remarks = hostLimitRemarks({ ...WITHIN, ...more });
  expect(remarks).toHaveLength(1);
  expect(remarks[0]).toMatch(expected);
});
