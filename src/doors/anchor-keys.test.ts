import { expect, test } from 'vitest';
import { htmlPage, temporaryFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { type FollowedEvent, follow } from './follow.ts';
import { publish } from './publish.ts';

const pageOf = (text: string) =>
  htmlPage('Limits', [
    { id: 'rate', heading: 'Rate', text },
    { heading: 'Size', text },
    ...['a', 'b', 'c', 'd'].map((id) => ({ id, heading: id, text: 'Stays as it is.' })),
  ]);

test.each(['aicf', 'diffdelta'])(
  'a section that no id names is marked, from publish to follow by %s',
  async (dialect) => {
    using site = temporaryFolder();
    using state = temporaryFolder();
    await using server = await serveFolder(site.path);
    const read = async () => {
      const options = {
        url: server.url,
        state: `${state.path}/f.db`,
        dialect,
        once: true,
        allowPrivate: true,
        cooldownMs: 0,
      };
      const events: FollowedEvent[] = [];
      for await (const event of follow(options)) events.push(event);
      return events;
    };
    const options = { dir: site.path, site: server.url, force: true };
    site.write({ 'index.html': pageOf('Old.') });
    await publish(options);
    await read();
    site.write({ 'index.html': pageOf('New.') });
    const { changes } = await publish(options);
    expect(changes).toEqual([
      { action: 'update', url: server.url, anchor: 'rate', note: 'text-edit' },
      { action: 'update', url: server.url, anchor: 'size', anchorIs: 'key', note: 'text-edit' },
    ]);
    const events = await read();
    expect(events.map(({ anchor, anchorIs }) => [anchor, anchorIs])).toEqual([
      ['rate', undefined],
      ['size', 'key'],
    ]);
  },
);
