import { expect, test } from 'vitest';
import { type MemoryWatchStore, NOON, WatchLab } from '../../../test/support/watch-lab.ts';
import { bound, DELETES_KEPT, feed, HOUR, MINUTE } from '../../../test/support/watched-feeds.ts';
import { WriteRefusedError } from '../../errors/write-refused-error.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { newSource } from './watch-sources.ts';

const OVERTAKEN = new WriteRefusedError('overtaken');

function added(id: string, rest: Partial<WatchedSource> = {}): WatchedSource {
  return { ...newSource(feed(id), 'api', { nowMs: NOON, allowPrivate: false }), ...rest };
}

/** Another process does that first, once. */
function overtakeOnce(store: MemoryWatchStore, write: () => void): void {
  const put = store.putSources.bind(store);
  store.putSources = async () => {
    store.putSources = put;
    write();
    throw OVERTAKEN;
  };
}

test('a source that another process added is watched, and is not written again', async () => {
  const { start, time, lab, store } = bound(new WatchLab());
  const watch = await start([]);
  watch.adopt(added('a'));
  expect(watch.sources()).toEqual([added('a')]);
  await time.pass(0);
  expect(lab.ids()).toEqual(['a']);
  expect(store.writes).toEqual([]);
  expect(lab.said()).toEqual(['adopted']);
});

test('what another process wrote of a source counts at once, while it is being visited too', async () => {
  const { start, time, lab } = bound(new WatchLab([added('a')]));
  lab.answer = undefined;
  const watch = await start([]);
  await time.pass(0);
  watch.adopt(added('a', { owner: 'o' }));
  expect(lab.open[0]?.signal.aborted).toBe(false);
  watch.adopt(added('a', { paused: 'enough' }));
  expect(lab.open[0]?.signal.aborted).toBe(true);
  expect(watch.source('a')).toMatchObject({ paused: 'enough' });
  lab.open[0]?.end({ is: 'abandoned', changes: 0 });
  await time.pass(HOUR);
  expect(lab.visited).toHaveLength(1);
});

test('a source that another process removed or dropped is watched no more', async () => {
  const { start, time, lab } = bound(new WatchLab([added('a'), added('b')]));
  lab.answer = undefined;
  const watch = await start([]);
  await time.pass(0);
  watch.forgotten('a');
  watch.forgotten('nobody');
  watch.adopt(added('b', { dropped: true }));
  expect(watch.sources()).toEqual([]);
  expect(lab.open.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(lab.said()).toEqual(['removed', 'removed']);
  // What was dropped is gone on with by who names it again.
  const [again] = await watch.add([feed('b')]);
  expect(again).toMatchObject({ addedAtMs: NOON });
});

test('a start without a config watches what the store knows, whoever named it', async () => {
  const dropped = added('b', { dropped: true });
  const { start, lab, store } = bound(new WatchLab([added('a', { origin: 'config' }), dropped]));
  const watch = await start([], { configured: undefined });
  expect(watch.sources()).toEqual([added('a', { origin: 'config' })]);
  expect([store.writes, lab.said()]).toEqual([[], []]);
});

test('an edit that another process overtakes is made again, on what that wrote', async () => {
  const { start, time, store } = bound(new WatchLab([added('a')]));
  const watch = await start([]);
  await time.pass(1000);
  overtakeOnce(store, () => watch.adopt(added('a', { allowDeletes: true })));
  expect(await watch.pause('a', 'enough')).toMatchObject({ paused: 'enough', allowDeletes: true });
  expect(store.stored.get('a')).toMatchObject({ paused: 'enough', allowDeletes: true });
  expect(watch.unwritable).toBeUndefined();
});

test('an edit that is overtaken again and again says so', async () => {
  const { start, store } = bound(new WatchLab([added('a')]));
  const watch = await start([]);
  store.refusal = OVERTAKEN;
  await expect(watch.resume('a', DELETES_KEPT)).rejects.toBe(OVERTAKEN);
  expect(store.tries).toBe(10);
});

test('of two processes that add the same id, one wins', async () => {
  const { start, store } = bound(new WatchLab());
  const watch = await start([]);
  overtakeOnce(store, () => watch.adopt(added('a')));
  await expect(watch.add([feed('a', 90)])).rejects.toMatchObject({ name: 'SourceExistsError' });
  expect(watch.source('a')).toEqual(added('a'));
});

test('what may not be written because another process has taken over is no check', async () => {
  const { start, time, lab, store } = bound(new WatchLab([added('a')]));
  lab.answer = () => new WriteRefusedError('fenced');
  const watch = await start([]);
  await time.pass(MINUTE);
  expect(store.checks).toEqual([]);
  expect(watch.source('a')?.health.failures).toBe(0);
  expect(lab.said()).toContain('abandoned');
});
