import { expect, test } from 'vitest';
import { loadMcpSdk } from './load-sdk.ts';

test('a package that is not installed is named with how to install it', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  const refusal = {
    name: 'SettingRefusedError',
    message: expect.stringContaining('npm i @modelcontextprotocol/server'),
  };
  await expect(loadMcpSdk(() => Promise.reject(missing))).rejects.toMatchObject(refusal);
  await expect(loadMcpSdk(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
  expect((await loadMcpSdk()).createMcpHandler).toBeTypeOf('function');
});
