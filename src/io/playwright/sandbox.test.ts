import { expect, test } from 'vitest';
import { ensureSandbox } from './sandbox.ts';

test('root renders only where somebody says that the browser may do without its sandbox', () => {
  expect(ensureSandbox({ isRoot: false })).toBe(true);
  expect(ensureSandbox({ isRoot: false, allowUnsandboxed: true })).toBe(true);
  expect(ensureSandbox({ isRoot: true, allowUnsandboxed: true })).toBe(false);
  expect(() => ensureSandbox({ isRoot: true })).toThrow(/--render "?as root.*--allow-unsandboxed-browser/);
});
