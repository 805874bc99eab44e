import { EventSource } from 'eventsource';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EventsClient } from './support/events-client.ts';
import { limitsPage, PATIENCE, startMcpHub } from './support/mcp-lab.ts';

/** The npm package `eventsource`, which shares no code with us. */
function openSource(url: string) {
  const source = new EventSource(url);
  onTestFinished(() => source.close());
  const changes: { id: string; url: string; anchor?: string; action: string }[] = [];
  source.addEventListener('change', ({ data, lastEventId }) => {
    const change = JSON.parse(data);
    expect(lastEventId).toBe(change.id);
    changes.push(change);
  });
  return { source, changes };
}

test('an independent client follows a whole hub, and waits to come back when that ends', async () => {
  const hub = await startMcpHub();
  const { source, changes } = openSource(`${hub.url}events/docs?action=update,create`);
  await vi.waitFor(() => expect(source.readyState).toBe(EventSource.OPEN), PATIENCE);
  hub.write({ 'limits.html': limitsPage('There are seven tiers of accounts.') });
  await vi.waitFor(() => expect(changes).toMatchObject([{ anchor: 'tiers', action: 'update' }]), PATIENCE);

  const figures = await (await fetch(`${hub.url}metrics`)).text();
  expect(figures).toMatch(/^tidings_streams_open 1$/m);
  expect(figures).toMatch(/^tidings_stream_events_total 1$/m);

  const plain = new EventsClient(`${hub.url}events`);
  await plain.opened;
  await hub.close();
  await plain.ended;
  await vi.waitFor(() => expect(source.readyState).toBe(EventSource.CONNECTING), PATIENCE);
});
