import { expect, test } from 'vitest';
import { NOON, NOTHING_NEW, WatchLab } from '../../../test/support/watch-lab.ts';
import { bound, DELETES_KEPT, FAILED, feed, HOUR, MINUTE } from '../../../test/support/watched-feeds.ts';

test('a source can be added while the hub runs; twice it cannot', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  const watch = await start([feed('b')]);
  expect(await watch.add([feed('a')])).toMatchObject([{ origin: 'api', addedAtMs: NOON }]);
  await time.pass(0);
  expect(lab.ids()).toEqual(['b', 'a']);
  expect(store.stored.get('a')?.origin).toBe('api');
  expect(watch.sources().map(({ config }) => config.id)).toEqual(['a', 'b']);
  await expect(watch.add([feed('a')])).rejects.toThrow(expect.objectContaining({ name: 'SourceExistsError' }));
  await expect(watch.add([feed('b')])).rejects.toThrow(expect.objectContaining({ name: 'SourceExistsError' }));
});

test('of two that add the same id at once, one wins', async () => {
  const { start } = bound(new WatchLab());
  const watch = await start([]);
  const results = await Promise.allSettled([watch.add([feed('a', 60)]), watch.add([feed('a', 90)])]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test('nothing can be done with a source that there is not', async () => {
  const { start } = bound(new WatchLab());
  const watch = await start([]);
  await expect(watch.pause('a', 'why')).rejects.toThrow(expect.objectContaining({ name: 'SourceUnknownError' }));
  await expect(watch.resume('a', DELETES_KEPT)).rejects.toThrow(
    expect.objectContaining({ name: 'SourceUnknownError' }),
  );
  await expect(watch.remove('a')).rejects.toThrow(expect.objectContaining({ name: 'SourceUnknownError' }));
  await expect(watch.checksOf('a', 5)).rejects.toThrow(expect.objectContaining({ name: 'SourceUnknownError' }));
});

test('a source of the API is read at once by other settings; one of the config is not changed', async () => {
  const { start, time, store, lab, visited } = bound(new WatchLab());
  const watch = await start([feed('fixed', 3600)]);
  await watch.add([feed('a', 3600)]);
  await time.pass(MINUTE);
  const ruled = { ...feed('a', 3600), ignore: ['/log/**'] };
  expect((await watch.change(ruled)).config).toEqual(ruled);
  await time.pass(MINUTE);
  expect(visited.filter(({ id }) => id === 'a')).toHaveLength(2);
  expect(store.stored.get('a')?.config).toEqual(ruled);

  const rules = [{ ignore: ['/log/**'] }];
  lab.answer = () => ({ ...NOTHING_NEW, rules });
  await watch.change(feed('a', 3600));
  await time.pass(MINUTE);
  expect(watch.source('a')).toMatchObject({ config: feed('a', 3600), health: { rules } });
  await expect(watch.change(feed('fixed', 60))).rejects.toMatchObject({ name: 'SourceFixedError' });
  await expect(watch.change(feed('nobody'))).rejects.toMatchObject({ name: 'SourceUnknownError' });
});

test('another name has nobody asked, and another interval counts from the last check', async () => {
  const { start, time, visited } = bound(new WatchLab());
  const watch = await start([]);
  await watch.add([feed('a', 3600)]);
  await time.pass(MINUTE);
  const { health } = await watch.change({ ...feed('a', 3600), title: 'A', tags: ['t'] });
  expect(health.dueAtMs).toBe(NOON + 60 * MINUTE);
  await time.pass(MINUTE);
  expect(visited).toHaveLength(1);
  expect((await watch.change(feed('a', 600))).health).toMatchObject({
    dueAtMs: NOON + 10 * MINUTE,
    intervalMs: 600_000,
  });
  await time.pass(8 * MINUTE);
  expect(visited.map(({ atMs }) => atMs)).toEqual([0, 10 * MINUTE]);
});

test('a source of the config cannot be removed', async () => {
  const { start, store } = bound(new WatchLab());
  const watch = await start([feed('a')]);
  await expect(watch.remove('a')).rejects.toThrow(expect.objectContaining({ name: 'SourceFixedError' }));
  expect(store.stored.has('a')).toBe(true);
});

test('a removed source is not asked again and does not come back with the end of its visit', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  const watch = await start([]);
  lab.answer = undefined;
  await watch.add([feed('a')]);
  await time.pass(0);
  await watch.remove('a');
  expect(lab.open[0]?.signal.aborted).toBe(true);
  expect(watch.sources()).toEqual([]);
  lab.open[0]?.end({ is: 'read', changes: 5, notes: [] });
  await time.pass(HOUR);
  expect(lab.visited).toHaveLength(1);
  expect(store.stored.size).toBe(0);
  expect(store.checks).toEqual([]);
  expect(lab.events.map(({ is }) => is)).toEqual(['added', 'removed', 'abandoned']);
  // The second time takes away what the visit stored behind the first.
  expect(store.writes.filter((what) => what === 'remove a')).toHaveLength(2);
});

test('an id that is added anew waits for the end of the old visit and begins afresh', async () => {
  const { start, time, lab } = bound(new WatchLab());
  const watch = await start([]);
  lab.answer = undefined;
  await watch.add([feed('a')]);
  await time.pass(0);
  await watch.remove('a');
  const added = watch.add([feed('a', 600, 'elsewhere')]);
  await time.pass(1000);
  expect(watch.source('a')).toBeUndefined();
  lab.open[0]?.end(FAILED);
  await added;
  await time.pass(0);
  expect(watch.source('a')?.health).toMatchObject({ failures: 0 });
  expect(lab.open[1]?.source.config.intervalSeconds).toBe(600);
});

test('the checks of a removed source are not those of the next with its id', async () => {
  const { start, time, store } = bound(new WatchLab());
  const watch = await start([]);
  await watch.add([feed('a')]);
  await time.pass(0);
  await watch.remove('a');
  await watch.add([feed('a')]);
  await time.pass(1000);
  expect(store.checks).toHaveLength(1);
});

test('the checks of a source are shown with the newest', async () => {
  const { start, time } = bound(new WatchLab());
  const watch = await start([feed('a')]);
  await time.pass(MINUTE);
  const shown = watch.checksOf('a', 10);
  await time.pass(0);
  expect((await shown).map(({ atMs }) => atMs - NOON)).toEqual([MINUTE, 0]);
});

test('of several sources that are added together, all are or none', async () => {
  const { start, store } = bound(new WatchLab());
  const watch = await start([]);
  await watch.add([feed('a')]);
  await expect(watch.add([feed('b'), feed('a')])).rejects.toThrow(
    expect.objectContaining({ name: 'SourceExistsError' }),
  );
  expect([...store.stored.keys()]).toEqual(['a']);
  await watch.add([feed('b'), feed('c')]);
  expect(watch.sources().map(({ config }) => config.id)).toEqual(['a', 'b', 'c']);
  expect(store.writes).toContain('put b c');
});

test('a source that is gone from the config is not watched, and goes on where it was when it is back', async () => {
  const first = bound(new WatchLab());
  first.lab.answer = () => FAILED;
  const watch = await first.start([feed('a', 3600), feed('b')]);
  await first.time.pass(1000);
  await watch.pause('a', 'they moved');
  await watch.stop();

  const without = bound(new WatchLab([...first.store.stored.values()]));
  const apart = await without.start([feed('b')]);
  await without.time.pass(MINUTE);
  expect(apart.sources().map(({ config }) => config.id)).toEqual(['b']);
  expect(without.lab.ids()).not.toContain('a');
  await expect(apart.remove('a')).rejects.toThrow(expect.objectContaining({ name: 'SourceUnknownError' }));
  await expect(apart.pause('a', 'why')).rejects.toThrow(expect.objectContaining({ name: 'SourceUnknownError' }));
  expect(without.lab.said()).toEqual(['removed']);
  await apart.stop();

  const again = bound(new WatchLab([...without.store.stored.values()]));
  const back = await again.start([feed('a', 3600), feed('b')]);
  expect(back.source('a')).toEqual(first.store.stored.get('a'));
  expect(again.store.writes).toEqual(['put a']);
});

test('a dropped source that the API adds goes on; at another place it begins anew', async () => {
  const stored = (await labWithDropped()).store.stored;
  const same = bound(new WatchLab([...stored.values()]));
  const watch = await same.start([]);
  expect(await watch.add([feed('a')])).toMatchObject([{ origin: 'api', health: { failures: 1 } }]);
  await same.time.pass(0);
  expect(same.lab.ids()).toEqual(['a']);
  expect(same.store.writes[0]).toBe('put a');
  expect(same.store.stored.get('a')).not.toHaveProperty('dropped');
  await watch.remove('a');
  expect(same.store.stored.size).toBe(0);

  const other = bound(new WatchLab([...stored.values()]));
  const elsewhere = await other.start([]);
  expect(await elsewhere.add([feed('a', 60, 'elsewhere')])).toMatchObject([{ health: { failures: 0 } }]);
  expect(other.store.writes).toEqual(['remove a', 'put a']);
});

async function labWithDropped(): Promise<WatchLab> {
  const lab = new WatchLab();
  lab.answer = () => FAILED;
  const watch = await lab.start([feed('a')]);
  await lab.time.pass(0);
  await watch.stop();
  await (await lab.start([])).stop();
  expect(lab.store.stored.get('a')?.dropped).toBe(true);
  return lab;
}
