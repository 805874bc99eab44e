import { expect, test } from 'vitest';
import { NEVER, nthChange } from '../../test/support/mcp-ports.ts';
import type { ChangeStream, SourceLook, StreamedChange } from '../stream/change-stream.ts';
import { firstLook } from './first-look.ts';

function hubOf(look: (log: StreamedChange[]) => Promise<readonly SourceLook[]>): ChangeStream {
  const log: StreamedChange[] = [];
  return {
    changes: async () => ({ changes: [...log], next: log.at(-1)?.id ?? null }),
    sources: async () => [],
    look: () => look(log),
    news: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

const site = { source: 'docs', url: 'https://docs.example/' };

test('an empty log is told when the sites were looked at, and not before', async () => {
  const stream = firstLook(
    hubOf(async (log) => {
      log.push(nthChange(1));
      return [{ ...site, is: 'ok' }];
    }),
  );
  expect(await stream.changes({}, NEVER)).toMatchObject({ changes: [{ seq: 1 }] });
});

test('a look that finds nothing is no error, one that fails everywhere is', async () => {
  expect(await firstLook(hubOf(async () => [{ ...site, is: 'ok' }])).changes({}, NEVER)).toEqual({
    changes: [],
    next: null,
  });
  const failing = firstLook(hubOf(async () => [{ ...site, is: 'failed', message: 'x' }]));
  await expect(failing.changes({}, NEVER)).rejects.toMatchObject({ name: 'ToolRefusal', recovery: 'retry-later' });
});

test('a look that takes long is no reason to wait for a caller who is gone', async () => {
  const gone = new AbortController();
  const stream = firstLook(
    hubOf(() => {
      gone.abort();
      return new Promise(() => {});
    }),
  );
  await expect(stream.changes({}, gone.signal)).rejects.toMatchObject({
    message: expect.stringContaining('Call it again'),
  });
});
