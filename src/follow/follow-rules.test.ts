import { expect, test } from 'vitest';
import { createFollower, startPublisher } from '../../test/support/publisher.ts';
import { createReadingRules } from '../extract/rules/reading-rules.ts';
import { MemoryFollowState } from './memory-follow-state.ts';

const PRICING = `<!doctype html><title>Pricing</title><main><h1 id="pricing">Pricing</h1><p>What our service costs today.</p>
<h2 id="tiers">Tiers</h2><p>Small costs five.<span class="stamp"> As of noon.</span></p>
<div class="extra"><h2 id="offer">Offer</h2><p>Buy now.</p></div></main>`;

test('content is read by the rules', async () => {
  await using server = await startPublisher();
  server.put('/pricing', PRICING);
  server.publish(server.event('1', { url: '/pricing#tiers', anchor: 'tiers' }), server.event('2', { url: '/pricing' }));
  const rules = createReadingRules({ ignore: ['.stamp', '.extra'] });
  const { events } = await createFollower(server)({ content: true, rules });
  expect(events.map(({ markdown }) => markdown)).toEqual([
    '## Tiers\n\nSmall costs five.',
    '# Pricing\n\nWhat our service costs today.\n\n## Tiers\n\nSmall costs five.',
  ]);
});

test('an event about a section that the rules take out is left out, and is not asked for again', async () => {
  await using server = await startPublisher();
  server.put('/pricing', PRICING);
  server.publish(server.event('1', { url: '/pricing#offer', anchor: 'offer' }));
  const state = new MemoryFollowState();
  const rules = createReadingRules({ only: ['main > p', 'main > h2'] });
  const follow = createFollower(server, state);
  expect(await follow({ content: true, rules })).toMatchObject({ events: [], error: undefined });
  expect((await follow({ content: true, rules })).paths).not.toContain('/pricing');
});

test('events of pages that paths leave out are left out, with and without content; those of endpoints are none', async () => {
  await using server = await startPublisher();
  server.put('/pricing', PRICING);
  for (const [id, url] of Object.entries({ 1: '/log/a', 2: '/pricing', 3: '/log/' })) {
    server.publish(server.event(id, { url }));
  }
  const rules = createReadingRules({ ignore: ['/log/**'] });
  for (const content of [true, false]) {
    const state = new MemoryFollowState();
    const first = await createFollower(server, state)({ content, rules });
    expect(first).toMatchObject({ ids: ['2'], error: undefined });
    expect(first.paths.filter((path) => path.startsWith('/log'))).toEqual([]);
    expect((await createFollower(server, state)({ content })).ids).toEqual([]);
  }
});

test('what waits for a page is let go when the rules leave it out', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1', { url: '/log/a' }), server.event('2', { url: '/pricing#offer', anchor: 'offer' }));
  for (const path of ['/log/a', '/pricing']) server.put(path, { body: 'gone wrong', status: 500 });
  const state = new MemoryFollowState();
  expect((await createFollower(server, state)({ content: true })).error?.name).toBe('EventsWithheldError');
  server.put('/pricing', PRICING);
  const rules = createReadingRules({ ignore: ['/log/**', '.extra'] });
  expect(await createFollower(server, state)({ content: true, rules })).toMatchObject({ ids: [], error: undefined });
});
