import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { announcement, openAgentFeedLab } from '../../../../test/support/agent-feed-origin.ts';
import type { HttpClient } from '../../../fetch/http-client.ts';
import { MemoryReaderState } from './memory-reader-state.ts';

clause(['AF-F3', 'AF-P1'], 'two readers of one state poll a feed one after the other', async () => {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  const state = new MemoryReaderState();
  api.publish({ entries: [announcement('urn:1')] });
  const held = heldClient(lab.http);
  const slow = lab.reader({ state, http: held.http }).ingest(api.url);
  await held.asked;
  const other = heldClient(lab.http);
  let isAsked = false;
  void other.asked.then(() => {
    isAsked = true;
  });
  const second = lab.reader({ state, http: other.http }).ingest(api.url, { refresh: true });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isAsked).toBe(false);
  held.release();
  const { feedUrl } = await slow;
  await other.asked;
  api.publish({ status: 'terminated', entries: [announcement('urn:1')] });
  other.release();
  expect(await second).toMatchObject({ trust: false });
  expect(await lab.reader({ state }).report(api.url)).toMatchObject({ trust: false, feedStatus: 'terminated' });
  expect(await state.factsOf(feedUrl, 0, 10)).toHaveLength(1);
});

test('who ends a reader waits for its own polls alone', async () => {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  const state = new MemoryReaderState();
  api.publish({ entries: [announcement('urn:1')] });
  const held = heldClient(lab.http);
  const slow = lab.reader({ state, http: held.http }).ingest(api.url);
  await held.asked;
  await lab.reader({ state })[Symbol.asyncDispose]();
  held.release();
  expect(await slow).toMatchObject({ applied: 1 });
});

/** Holds the first request back until it is released. */
function heldClient(http: HttpClient): { http: HttpClient; asked: Promise<void>; release: () => void } {
  const asked = deferred();
  const released = deferred();
  const client: HttpClient = {
    ...http,
    async get(request) {
      asked.resolve();
      await released.promise;
      return await http.get(request);
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return { http: client, asked: asked.promise, release: released.resolve };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
