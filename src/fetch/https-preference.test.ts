import { expect } from 'vitest';
import { clause } from '../../test/clause.ts';
import { preferHttps, rememberHttps } from './https-preference.ts';
import { MemoryHostMemory } from './memory-host-memory.ts';

const HOUR_MS = 3600_000;

clause('AWI-SE4', 'a host that announces https is asked over https from then on, for as long as it said', async () => {
  const memory = new MemoryHostMemory();
  const asked = async (url: string, nowMs: number) => (await preferHttps(new URL(url), memory, nowMs)).href;
  expect(await asked('http://docs.example/a', 0)).toBe('http://docs.example/a');
  await rememberHttps(new URL('https://docs.example/'), answer({ 'strict-transport-security': 'max-age=3600' }), {
    memory,
    nowMs: 0,
  });
  expect(await asked('http://docs.example/a', HOUR_MS - 1)).toBe('https://docs.example/a');
  expect(await asked('http://docs.example:8080/a', 1)).toBe('http://docs.example:8080/a');
  expect(await asked('http://other.example/a', 1)).toBe('http://other.example/a');
  expect(await asked('http://docs.example/a', HOUR_MS)).toBe('http://docs.example/a');
});

clause('AWI-SE4', 'a redirect to https is remembered, and max-age=0 takes it back', async () => {
  const memory = new MemoryHostMemory();
  const isSecure = async () => (await preferHttps(new URL('http://docs.example/'), memory, 1)).protocol === 'https:';
  await rememberHttps(new URL('https://docs.example/'), answer({}), { memory, nowMs: 0 });
  expect(await isSecure()).toBe(false);
  await rememberHttps(new URL('http://docs.example/'), answer({}), { memory, nowMs: 0 });
  expect(await isSecure()).toBe(true);
  await rememberHttps(new URL('https://docs.example/'), answer({ 'strict-transport-security': 'max-age=0' }), {
    memory,
    nowMs: 0,
  });
  expect(await isSecure()).toBe(false);
});

clause('AWI-SE4', 'what plain http says about https binds nobody', async () => {
  const memory = new MemoryHostMemory();
  const url = new URL('http://docs.example/');
  const response = { ...answer({ 'strict-transport-security': 'max-age=3600' }), url };
  await rememberHttps(url, response, { memory, nowMs: 0 });
  expect(await memory.until('https', 'docs.example')).toBe(0);
});

function answer(headers: Readonly<Record<string, string>>) {
  const body = (async function* (): AsyncGenerator<Uint8Array> {})();
  return { url: new URL('https://docs.example/'), status: 200, headers, body, discard: async () => {} };
}
