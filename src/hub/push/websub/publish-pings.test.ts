import { expect, test } from 'vitest';
import { FakeTime } from '../../../../test/support/fake-time.ts';
import { siteConfig, watchedSource } from '../../../../test/support/fake-watch.ts';
import { PublishPings } from './publish-pings.ts';

const MINUTE_MS = 60_000;

test.each([
  [MINUTE_MS, MINUTE_MS],
  [3_600_000, 6 * MINUTE_MS],
  [30 * 86_400_000, 60 * MINUTE_MS],
])('a source with a rhythm of %i ms is looked at for pings every %i ms at most', async (intervalMs, floorMs) => {
  const time = new FakeTime(0);
  const hastened: unknown[] = [];
  const docs = watchedSource(siteConfig('docs'));
  const pings = new PublishPings({
    watch: {
      source: () => ({ ...docs, health: { ...docs.health, intervalMs } }),
      hasten: (...said) => void hastened.push(said),
    },
    sourceOf: async ({ host }) => (host === 'docs.example' ? docs.config : undefined),
    tail: { onEvents: () => () => {} },
    alarm: time.alarm,
  });
  expect(await pings.take(new URL('https://docs.example/a'))).toBe(true);
  expect(await pings.take(new URL('https://docs.example/b'))).toBe(true);
  expect(await pings.take(new URL('https://other.example/'))).toBe(false);
  expect(hastened).toEqual([
    ['docs', floorMs],
    ['docs', floorMs],
  ]);
  await time.pass(2 * MINUTE_MS);
  expect(hastened, 'once more, for a page that comes later than its ping').toHaveLength(3);
  pings.close();
  expect(time.alarmsPending).toBe(0);
});
