import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createServer } from 'pubsubhubbub';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/site.ts';
import { openWebSubLab, PATIENCE } from './support/websub-lab.ts';

/** With a secret it sends another one than it checks deliveries with, so that it takes those of no hub: it has none here. */
test('a subscriber of others subscribes, is told, is denied, and leaves', async () => {
  using folder = temporaryFolder();
  await using lab = await openWebSubLab({ folder: folder.path });
  const reader = createServer({ leaseSeconds: 100_000 });
  reader.listen(0, '127.0.0.1');
  await once(reader, 'listen');
  const { port } = reader.server.address() as AddressInfo;
  reader.callbackUrl = `http://127.0.0.1:${port}/cb`;
  try {
    const [hub, topic] = [`${lab.url}hub`, lab.topic('changes.atom')];
    const told: { topic: string; hub: string; feed: Buffer }[] = [];
    reader.on('feed', (feed) => told.push(feed));

    const confirmed = once(reader, 'subscribe');
    await promisify(reader.subscribe.bind(reader))(topic, hub);
    expect(await confirmed).toMatchObject([{ topic, hub }]);
    await expect.poll(async () => (await lab.list()).subscriptions[0]?.status, PATIENCE).toBe('active');
    const url = await lab.change();
    await expect.poll(() => told.length, PATIENCE).toBe(1);
    expect(told[0]).toMatchObject({ topic, hub });
    expect(told[0]?.feed.toString()).toContain(url);
    expect(told[0]?.feed.toString()).toBe(await (await lab.get('changes.atom')).text());

    const ended = once(reader, 'unsubscribe');
    await promisify(reader.unsubscribe.bind(reader))(topic, hub);
    await ended;
    await expect.poll(async () => (await lab.list()).subscriptions, PATIENCE).toEqual([]);

    await promisify(reader.subscribe.bind(reader))(topic, hub);
    await expect.poll(async () => (await lab.list()).subscriptions[0]?.status, PATIENCE).toBe('active');
    const denied = once(reader, 'denied');
    await lab.deny((await lab.list()).subscriptions[0]?.id ?? '');
    expect(await denied).toMatchObject([{ topic, hub }]);
  } finally {
    reader.server.closeAllConnections();
    await new Promise((resolve) => reader.server.close(resolve));
  }
});
