import { EventSource } from 'eventsource';
import { expect, onTestFinished, test, vi } from 'vitest';
import { restoreHub } from '../src/doors/restore-hub.ts';
import { backUpDatabase } from '../src/io/sqlite/backup.ts';
import { EventsClient } from './support/events-client.ts';
import { ADMIN, limitsPage, PATIENCE, startMcpHub } from './support/mcp-lab.ts';
import { seedChanges, seedRuns, serveFolder } from './support/seeded-hub.ts';
import { temporaryFolder } from './support/site.ts';

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

test('a stream ends with the key that it was opened with, also with one that is rotated; others go on', async () => {
  const hub = await startMcpHub();
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const body = method === 'POST' ? JSON.stringify(path === 'keys' ? { tier: 'pro' } : {}) : undefined;
    const answer = await fetch(new URL(`api/v1/${path}`, hub.url), {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
    expect(answer.ok).toBe(true);
    return (await answer.json()) as { readonly key: string };
  };
  const admin = { authorization: `Bearer ${ADMIN}` };
  const { key } = await ask('POST', 'keys', admin);
  const [withKey, without] = [new EventsClient(`${hub.url}events`, keyed(key)), new EventsClient(`${hub.url}events`)];
  await Promise.all([withKey.opened, without.opened]);
  const rotated = await ask('POST', 'key/rotate', keyed(key));
  await withKey.ended;
  const again = new EventsClient(`${hub.url}events`, keyed(rotated.key));
  await again.opened;
  await ask('DELETE', `keys/${rotated.key.slice(0, 12)}`, admin);
  await again.ended;
  hub.write({ 'limits.html': limitsPage('There are eight tiers of accounts.') });
  await vi.waitFor(() => expect(without.changes).toHaveLength(1), PATIENCE);
  expect(again.changes).toEqual([]);
  without.close();
});

function keyed(key: string): Record<string, string> {
  return { 'x-diffdelta-key': key };
}

test('behind a backup that was restored a reader of a whole hub is told once, and the API has cursors of the new log', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  await seedRuns(data, 5);
  await backUpDatabase(data, `${folder.path}/backup.db`);
  const [lost] = await seedChanges(data, 1);
  // Without the feeds that were published from it, what came behind the backup is gone.
  await restoreHub(`${folder.path}/backup.db`, { folder: data, replace: true, now: Date.now });

  await using hub = await serveFolder(data);
  const page = (await (await fetch(`${hub.url}api/v1/changes`)).json()) as { changes: { id: string }[]; next: string };
  expect(page.next).toMatch(/^[0-9A-Z]{26}\.[0-9a-f]{8}$/);
  const client = new EventsClient(`${hub.url}events`, { 'last-event-id': lost?.id ?? '' });
  await vi.waitFor(() => expect(client.resyncs).toEqual([page.next]), PATIENCE);
  client.close();
  const again = new EventsClient(`${hub.url}events`, { 'last-event-id': client.lastEventId });
  const behind = new EventsClient(`${hub.url}events?after=${page.changes[1]?.id}.${page.next.slice(27)}`);
  await vi.waitFor(() => expect(behind.seqs).toEqual([3, 4, 5]), PATIENCE);
  await again.opened;
  await hub.close();
  await again.ended;
  expect([...again.events, ...behind.resyncs]).toEqual([]);
});
