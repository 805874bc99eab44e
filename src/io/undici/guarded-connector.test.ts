import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createGuardedConnector } from './guarded-connector.ts';

test('however many connections are in the making, closing ends them all, and waits with one listener', async () => {
  const closing = new AbortController();
  const connect = createGuardedConnector({ allowPrivate: true, lookup: () => {} }, closing.signal);
  const ended = Array.from({ length: 50 }, (_, index) => {
    const target = { hostname: `h${index}.example`, protocol: 'http:', port: '80' };
    return new Promise<Error | null>((resolve) => connect(target, (...[error]) => resolve(error)));
  });
  expect(getEventListeners(closing.signal, 'abort')).toHaveLength(1);
  closing.abort();
  const errors = await Promise.all(ended);
  expect(new Set(errors.map((error) => error?.message))).toEqual(new Set(['The client was closed']));
});
