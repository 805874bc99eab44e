import { expect, test } from 'vitest';
import { startBrowser } from './browser.ts';
import { ensureSandbox, isRoot } from './sandbox.ts';

test('root renders only where somebody says that the browser may do without its sandbox', () => {
  expect(ensureSandbox({ isRoot: false })).toBe(true);
  expect(ensureSandbox({ isRoot: false, allowUnsandboxed: true })).toBe(true);
  expect(ensureSandbox({ isRoot: true, allowUnsandboxed: true })).toBe(false);
  expect(() => ensureSandbox({ isRoot: true })).toThrow(/--render "?as root.*--allow-unsandboxed-browser/);
});

test.runIf(isRoot())('for root no browser is started unless that was said, whoever asks for one', async () => {
  const options = { executable: '/no/such/chromium', userAgent: 'a', maxMemoryBytes: 1e9, onBroken: () => {} };
  await expect(startBrowser(options)).rejects.toThrow(/--allow-unsandboxed-browser/);
});
