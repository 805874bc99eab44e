import { expect, test } from 'vitest';
import { announcement, openAgentFeedLab, schemaChange } from '../../../../test/support/agent-feed-origin.ts';
import { MemoryReaderState } from './memory-reader-state.ts';

test('what goes beyond a limit is told, refused and recorded nowhere', async () => {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  const state = new MemoryReaderState();
  const reader = lab.reader({ state });
  const protocols = Array.from({ length: 9 }, (_, at) => announcement(`p:${at}`, { protocol: `p${at}` }));
  api.publish({ entries: protocols });
  const report = await reader.ingest(api.url);
  expect(report).toMatchObject({ applied: 8, skipped: 1, lastSeen: 'p:7' });
  expect(report.endpoints.map(({ protocol }) => protocol)).toEqual(protocols.slice(0, 8).map((_, at) => `p${at}`));
  expect(report.events).toEqual([
    {
      event: 'limit-exceeded',
      origin: api.url,
      entryId: 'p:8',
      feedUrl: report.feedUrl,
      endpointId: 'orders-api',
    },
  ]);
  expect(await state.seenAmong(report.feedUrl, ['p:7', 'p:8'])).toHaveProperty('size', 1);
  expect(await state.factsOf(report.feedUrl, 0, 20)).toHaveLength(8);
  lab.clock.nowMs += 3600_000;
  api.publish({ entries: [...protocols, announcement('p:10', { protocol: 'p1', version: '2' })] });
  expect(await reader.ingest(api.url)).toMatchObject({ applied: 1, events: [] });
});

test('an endpoint keeps a thousand migrations, and the next one is refused', async () => {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  const changes = Array.from({ length: 1001 }, (_, at) =>
    schemaChange(`c:${at}`, { 'from-version': `${at}`, 'to-version': `${at + 1}` }),
  );
  api.publish({ entries: [announcement('urn:1'), ...changes] });
  const report = await lab.reader().ingest(api.url);
  expect(report).toMatchObject({ applied: 1001, skipped: 1, endpoints: [{ version: '1000' }] });
  expect(report.events).toMatchObject([{ event: 'limit-exceeded', entryId: 'c:1000' }]);
});
