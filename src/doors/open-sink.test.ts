import { expect, test } from 'vitest';
import { openSink } from './open-sink.ts';

const OPTIONS = { state: '.tidings/none', signal: new AbortController().signal };

test.each([
  'postgres://u@127.0.0.1:1/docs',
  'postgresql://u@127.0.0.1:1/docs',
  'postgres:postgres://u@127.0.0.1:1/docs',
  'postgres:postgresql://u@127.0.0.1:1/docs',
  'sqlite:none.db',
])('%s is opened without asking anybody', async (address) => {
  const sink = await openSink(address, OPTIONS);
  await sink[Symbol.asyncDispose]?.();
});

test.each(['mysql://u:secret@host/db', 'postgres:u:secret@host', 'postgres://u:secret@ho st/', 'u:secret@host'])(
  'what is no address of a sink is refused, and a password in it is not repeated: %s',
  async (address) => {
    const refusal: unknown = await openSink(address, OPTIONS).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'SettingRefusedError', recovery: 'fix-config' });
    expect(String(refusal)).not.toContain('secret');
  },
);
