import { expect, test } from 'vitest';
import { createFollower, startPublisher } from '../../test/support/publisher.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { createReadingRules } from '../extract/rules/reading-rules.ts';
import { createFollowRules } from './follow-rules.ts';
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

test('rules for sections: only events of those come, page events where they name one or one was told before', async () => {
  await using server = await startPublisher();
  const state = new MemoryFollowState();
  const follow = createFollower(server, state);
  const rules = createFollowRules({ only: ['#tier*', '#offer'], ignore: ['#tiers-old'] });
  server.publish(
    server.event('1', { url: '/pricing', action: 'create' }),
    server.event('2', { url: '/pricing#tiers', anchor: 'tiers', checksum: 'c' }),
    server.event('3', { url: '/pricing#other', anchor: 'other' }),
    server.event('4', { url: '/pricing#tiers-old', anchor: 'tiers-old' }),
    server.event('5', { url: '/about', note: 'many-sections; sections changed=team,offer' }),
    server.event('6', { url: '/about', note: 'many-sections; sections changed=team,jobs' }),
    server.event('7', { url: '/about', note: 'anchor-renamed: offers -> offer' }),
    server.event('8', { url: '/about', action: 'delete' }),
  );
  expect((await follow({ rules })).ids).toEqual(['2', '5', '7']);
  server.publish(server.event('9', { url: '/pricing', action: 'delete' }), server.event('10', { url: '/pricing' }));
  expect((await follow({ rules })).ids).toEqual(['9']);
});

test('sections that are ignored are left out, and nothing else is', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1', { anchor: 'log-1' }), server.event('2', { anchor: 'tiers' }), server.event('3'));
  const rules = createFollowRules({ ignore: ['#log-*'] });
  expect((await createFollower(server)({ rules })).ids).toEqual(['2', '3']);
});

test('an id that is the name of a section gives all of the section, one that is not gives that element', async () => {
  await using server = await startPublisher();
  server.put('/pricing', PRICING);
  server.put('/about', PRICING.replace('class="extra"', 'id="extra"').replace('id="tiers"', 'id="team"'));
  server.publish(
    server.event('1', { url: '/pricing' }),
    server.event('2', { url: '/pricing#tiers', anchor: 'tiers' }),
    server.event('3', { url: '/about' }),
    server.event('4', { url: '/about#team', anchor: 'team' }),
    server.event('5', { url: '/about#offer', anchor: 'offer' }),
  );
  const rules = createFollowRules({ only: ['#tiers', '#extra'] });
  const { events } = await createFollower(server)({ content: true, rules });
  expect(events.map(({ id, markdown }) => [id, markdown])).toEqual([
    ['2', '## Tiers\n\nSmall costs five. As of noon.'],
    ['3', '## Offer\n\nBuy now.'],
    ['5', '## Offer\n\nBuy now.'],
  ]);
});

test.each(['#a b*', '#a > *', '#a[href*=x]', '#a, #b'])('%s is a selector', (rule) => {
  const read = () => createFollowRules({ only: [rule] }).sections;
  if (rule === '#a b*') expect(read).toThrow(SettingRefusedError);
  else expect(read()).toBeUndefined();
});

test('a wrong rule is named, and there are not too many', () => {
  expect(() => createFollowRules({ only: [`#${'a'.repeat(500)}*`] })).toThrow(/^only "#a+" is refused/);
  expect(() => createFollowRules({ ignore: Array.from({ length: 101 }, () => '#a*') })).toThrow(/\(101 rules\)/);
});
