import { expect, test } from 'vitest';
import { type AgentFeedOrigin, openAgentFeedLab, type TestFeed } from '../../../../test/support/agent-feed-origin.ts';
import { MemoryReaderState } from './memory-reader-state.ts';

type Next = (origin: AgentFeedOrigin, first: TestFeed) => TestFeed;

const entry = (origin: AgentFeedOrigin, name: string, key = 'key-1') => ({ ...origin.announcement(name), key });

test.each<[string, boolean, Next]>([
  [
    'another key and other entries',
    true,
    (origin) => ({ keys: ['key-9'], entries: [entry(origin, 'casino', 'key-9')] }),
  ],
  [
    'a key that is rotated, with the old one kept',
    false,
    (origin, { entries = [] }) => ({ keys: ['key-1', 'key-2'], entries: [...entries, entry(origin, 'b', 'key-2')] }),
  ],
  [
    'a key that is replaced, with the old entries kept',
    false,
    (origin, { entries = [] }) => ({ keys: ['key-2'], entries: [...entries, entry(origin, 'b', 'key-2')] }),
  ],
  ['old entries that went, under the old key', false, (origin) => ({ keys: ['key-1'], entries: [entry(origin, 'b')] })],
  ['the same again', false, (_, first) => first],
])('%s: another owner %s', async (_, isOther, next) => {
  const lab = await openAgentFeedLab();
  const origin = lab.origin('api.example');
  const reader = lab.reader({ state: new MemoryReaderState(), policy: { stopsForOtherOwner: true } });
  const first = { keys: ['key-1'], entries: [entry(origin, 'orders-api'), entry(origin, 'tools')] };
  origin.publish(first);
  expect(await reader.ingest(origin.url)).toMatchObject({ applied: 2, problem: undefined });
  origin.publish(next(origin, first));
  const report = await reader.ingest(origin.url, { refresh: true });
  expect({ isOther: report.problem?.startsWith('other-owner:') ?? false, trust: report.trust }).toEqual({
    isOther,
    trust: true,
  });
  expect(report.endpoints.map(({ endpointId }) => endpointId)).not.toContain('casino');
  expect(report.endpoints.map(({ endpointId }) => endpointId)).toContain('orders-api');
});

test('by the specification alone, a reader takes what is verified', async () => {
  const lab = await openAgentFeedLab();
  const origin = lab.origin('api.example');
  const reader = lab.reader();
  origin.publish({ keys: ['key-1'], entries: [entry(origin, 'orders-api')] });
  await reader.ingest(origin.url);
  origin.publish({ keys: ['key-9'], entries: [entry(origin, 'casino', 'key-9')] });
  expect(await reader.ingest(origin.url, { refresh: true })).toMatchObject({ applied: 1, problem: undefined });
});
