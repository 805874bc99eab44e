import { expect, test } from 'vitest';
import type { PageMark, SyncState } from './sync-state.ts';

const markOf = (name: string, is: PageMark['is'] = 'held'): PageMark => ({
  url: `https://docs.example/${name}`,
  source: 'docs',
  is,
  updated: '2026-11-17T12:00:00.000Z',
  checksum: 'sha256:00',
  sections: 3,
});

/** What every {@link SyncState} does. `open` gives the same one again each time. */
export function describeSyncState(name: string, openLab: () => Promise<{ open(): Promise<SyncState> }>): void {
  test(`${name}: a new one knows nothing`, async () => {
    await using state = await (await openLab()).open();
    expect(await state.load()).toEqual({ place: {}, marks: [] });
  });

  test(`${name}: what was written is there again, and the last word counts`, async () => {
    const lab = await openLab();
    {
      await using state = await lab.open();
      await state.write({ place: { cursor: 'a', setup: 's', isWhole: true }, put: [markOf('one'), markOf('two')] });
      await state.write({ put: [markOf('one', 'dirty')], drop: [markOf('two').url, 'https://docs.example/none'] });
      await state.write({ place: { cursor: 'b', setup: 's', isWhole: true } });
    }
    await using again = await lab.open();
    expect(await again.load()).toEqual({
      place: { cursor: 'b', setup: 's', isWhole: true },
      marks: [markOf('one', 'dirty')],
    });
  });
}
