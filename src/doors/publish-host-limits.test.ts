import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { publish } from './publish.ts';

test('a publish says what a host would leave out, once', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tidings-limits-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'index.html'), '<title>Home</title><main><h1>Home</h1><p>Welcome to the docs.</p></main>');
  const own = Array.from({ length: 95 }, (_, index) => `/${index}\n  X-Own: 1\n`).join('');
  writeFileSync(join(dir, '_headers'), own);
  const remarks: string[] = [];
  const options = { dir, site: 'https://docs.example/', onRemark: (line: string) => void remarks.push(line) };

  await publish(options);
  expect(remarks).toEqual([expect.stringMatching(/^_headers has 1\d\d rules\. Cloudflare Pages takes 100 /)]);

  await publish(options);
  expect(remarks).toHaveLength(1);
});
