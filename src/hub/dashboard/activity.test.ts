import { expect, test } from 'vitest';
import { catalogueUnavailableError } from '../../errors/catalogue-error.ts';
import type { DayTally } from '../catalogue/catalogue.ts';
import { readActivity } from './activity.ts';

const NOW = Date.parse('2026-11-18T09:00:00Z');

/** One update on each day that is asked for. */
const ONE_A_DAY = {
  async tallies({ from, to }: { readonly from: string; readonly to: string }) {
    const days: DayTally[] = [];
    for (let ms = Date.parse(from); ms <= Date.parse(to); ms += 86_400_000) {
      days.push({ day: new Date(ms).toISOString().slice(0, 10), creates: 0, updates: 1, deletes: 0 });
    }
    return days;
  },
};

test('days are shown as they are, weeks begin on Monday, months are whole', async () => {
  const days = await readActivity(ONE_A_DAY, { by: 'day', nowMs: NOW });
  expect([days?.bars.length, days?.bars[0]?.from, days?.bars.at(-1)?.from]).toEqual([30, '2026-10-20', '2026-11-18']);
  const weeks = await readActivity(ONE_A_DAY, { by: 'week', nowMs: NOW });
  expect([weeks?.bars[0], weeks?.bars.at(-1)]).toMatchObject([
    { from: '2026-05-18', updates: 7 },
    { from: '2026-11-16', updates: 3 },
  ]);
  const months = await readActivity(ONE_A_DAY, { by: 'month', nowMs: NOW });
  expect([months?.bars[0], months?.bars.at(-1)]).toMatchObject([
    { from: '2025-11', updates: 30 },
    { from: '2026-11', updates: 18 },
  ]);
});

test('while the catalogue cannot be read there is no chart', async () => {
  const broken = { tallies: async () => Promise.reject(catalogueUnavailableError('broken')) };
  expect(await readActivity(broken, { by: 'day', nowMs: NOW })).toBeUndefined();
});
