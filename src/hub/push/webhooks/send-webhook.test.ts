import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { BodyTooLargeError, DeadlineError, FetchAbortedError } from '../../../errors/fetch-error.ts';
import type { HttpPost, HttpResponse } from '../../../fetch/http-client.ts';
import { sendWebhook } from './send-webhook.ts';

const URL_TEXT = 'https://hooks.example/';
const SECRET = { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` };

function send(answer: (request: HttpPost) => Promise<HttpResponse>) {
  const message = { url: URL_TEXT, id: 'msg_1', body: '{}', contentType: 'application/json', secrets: [SECRET] };
  return sendWebhook({ ...message, signal: new AbortController().signal }, { http: { post: answer }, now: () => 0 });
}

function answered(status: number, body: AsyncIterable<Uint8Array>): HttpResponse {
  return { url: new URL(URL_TEXT), status, headers: {}, body, discard: async () => {} };
}

clause('SW-D6', 'gives an endpoint between 15 and 30 seconds', async () => {
  let deadlineMs = 0;
  const answer = await send(async (request) => {
    deadlineMs = request.deadlineMs ?? 0;
    throw new DeadlineError(request.url, deadlineMs);
  });
  expect(deadlineMs).toBeGreaterThanOrEqual(15_000);
  expect(deadlineMs).toBeLessThanOrEqual(30_000);
  expect(answer).toMatchObject({ outcome: 'failed', error: { code: 'DeadlineError' } });
});

test('of an answer without end, a little is read', async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      read += 1;
      yield new Uint8Array(500);
    }
  }
  const answer = await send(async () => answered(200, endless()));
  expect([answer?.outcome, answer?.bytes?.length, read]).toEqual(['delivered', 1025, 3]);
});

test('an answer that breaks off behind its status counts by that', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('ok');
    throw new BodyTooLargeError(new URL(URL_TEXT), 'cut');
  }
  expect(await send(async () => answered(204, broken()))).toMatchObject({ outcome: 'delivered', status: 204 });
  expect(await send(async () => answered(500, broken()))).toMatchObject({ outcome: 'failed', status: 500 });
});

test('what is ended on request counts for nothing; a fault of ours is thrown', async () => {
  const ended = send(async ({ url }) => {
    throw new FetchAbortedError(url, undefined);
  });
  expect(await ended).toBeUndefined();
  const bug = send(async () => {
    throw new TypeError('a bug');
  });
  await expect(bug).rejects.toThrow('a bug');
});
