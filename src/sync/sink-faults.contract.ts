import { expect, test } from 'vitest';
import { EMBEDDED, PAGE_URL, type SectionText, syncedPage } from '../../test/support/synced-page.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { SyncedPage } from './sink.ts';
import { heldFacts, openPrepared, type SinkLab, vectorsOf } from './sink-lab.contract.ts';

const ANCHORS = ['', 'a', 'b', 'c'];
const MOST_STEPS = 200;

/** What every sink does where something fails: nothing is lost, and the next put leaves exactly what it says. */
export function describeSinkFaults(name: string, openLab: () => Promise<SinkLab>): void {
  test(`${name}: what is down says so, keeps what it held, and takes the page afterwards`, async ({ skip }) => {
    const breakdowns = await withLab(openLab, async ({ breakdowns = {} }) => Object.keys(breakdowns));
    if (breakdowns.length === 0) skip('its lab knows no breakdown');
    for (const what of breakdowns) {
      await using lab = await openLab();
      await using sink = await openPrepared(lab);
      await sink.put(version('old'));
      const breakdown = await lab.breakdowns?.[what]?.();
      const refusal = await refusalOf(() => sink.put(version('new')));
      expect(refusal, what).toMatchObject({ recovery: 'retry-later' });
      expect(breakdown?.fired(), `${what} was not met`).toBeGreaterThan(0);
      await breakdown?.mend();
      expect(missingFrom(await lab.read(PAGE_URL)), what).toEqual([]);
      await sink.put(version('new'));
      expect(await lab.read(PAGE_URL), what).not.toContain('old');
      expect(await sink.held(PAGE_URL), what).toEqual(heldFacts(version('new')));
    }
  });

  test(`${name}: cut off at any step, each section is there, old or new, and the next put leaves the new alone`, async ({
    skip,
  }) => {
    if ((await withLab(openLab, async (lab) => lab.breakAt)) === undefined) skip('its lab cannot break at a step');
    let step = 1;
    for (let isCut = true; isCut; step += 1) {
      expect(step, 'it never ends').toBeLessThan(MOST_STEPS);
      await using lab = await openLab();
      {
        await using sink = await openPrepared(lab);
        await sink.put(version('old'));
        const before = await lab.dump();
        const breakdown = await lab.breakAt?.(step);
        const refusal = await refusalOf(() => sink.put(version('new')));
        isCut = (breakdown?.fired() ?? 0) > 0;
        expect(refusal !== undefined, `step ${step}`).toBe(isCut);
        await breakdown?.mend();
        if (isCut && lab.isAtomic) expect(await lab.dump(), `step ${step}`).toEqual(before);
      }
      expect(missingFrom(await lab.read(PAGE_URL)), `cut at step ${step}`).toEqual([]);
      await using next = await openPrepared(lab);
      await next.put(version('new'));
      expect(await lab.read(PAGE_URL), `cut at step ${step}`).not.toContain('old');
      expect(await next.held(PAGE_URL)).toEqual(heldFacts(version('new')));
    }
    expect(step, 'no step was ever cut').toBeGreaterThan(2);
  });

  test(`${name}: what somebody else keeps there is refused before anything is written, and left alone`, async ({
    skip,
  }) => {
    await using lab = await openLab();
    if (lab.plantForeign === undefined) skip('nothing of others can be there');
    await lab.plantForeign?.();
    const before = await lab.dump();
    const refusal = await refusalOf(() => openPrepared(lab));
    expect(refusal).toMatchObject({ recovery: 'fix-config', message: expect.stringContaining('Nothing was written') });
    // Also where nobody asked first.
    const unprepared = await lab.open();
    expect(await refusalOf(() => unprepared.put(version('new')))).toMatchObject({ recovery: 'fix-config' });
    await unprepared[Symbol.asyncDispose]?.();
    expect(await lab.dump()).toEqual(before);
  });

  test(`${name}: another dimension is refused before anything is written`, async ({ skip }) => {
    await using lab = await openLab();
    if (lab.readVectors === undefined) skip('it keeps no vectors');
    {
      await using sink = await openPrepared(lab, EMBEDDED);
      await sink.put(syncedPage([['a', 'text']], { pipeline: EMBEDDED }));
    }
    const before = await lab.dump();
    const wider = { fingerprint: 'toy:4', embedding: { model: 'toy', dimension: 4 } };
    const refusal = await refusalOf(() => openPrepared(lab, wider));
    expect(refusal).toMatchObject({ recovery: 'fix-config', message: expect.stringMatching(/dimension 3.*\b4\b/) });
    expect(await lab.dump()).toEqual(before);
  });

  test.each([
    ['NaN', Float32Array.of(1, Number.NaN, 1)],
    ['Infinity', Float32Array.of(1, Number.POSITIVE_INFINITY, 1)],
    ['too few', Float32Array.of(1, 1)],
    ['too many', Float32Array.of(1, 1, 1, 1)],
    ['none at all', new Float32Array()],
  ])(`${name}: a vector with %s is refused with its whole page, the last of many included`, async (_, vector) => {
    await using lab = await openLab();
    if (lab.readVectors === undefined) return;
    await using sink = await openPrepared(lab, EMBEDDED);
    const old = syncedPage([['a', 'old text']], { pipeline: EMBEDDED });
    await sink.put(old);
    const [before, vectors] = [await lab.dump(), await vectorsOf(lab)];
    const page = syncedPage([['a', 'new text\nlast']], { pipeline: EMBEDDED });
    expect(await refusalOf(() => sink.put(withLastVector(page, vector)))).toMatchObject({ recovery: 'fix-input' });
    expect(await lab.dump()).toEqual(before);
    expect(await vectorsOf(lab)).toEqual(vectors);
  });
}

function version(name: string): SyncedPage {
  return syncedPage(ANCHORS.map((anchor): SectionText => [anchor, `(${anchor}) ${name}`]));
}

/** The sections that a reader does not find. */
function missingFrom(reading: string): string[] {
  return ANCHORS.filter((anchor) => !/old|new/.test(reading.split(`(${anchor}) `)[1]?.slice(0, 3) ?? ''));
}

function withLastVector(page: SyncedPage, vector: Float32Array): SyncedPage {
  const sections = page.sections.map((section) => ({
    ...section,
    chunks: section.chunks.map((chunk, index) => (index === section.chunks.length - 1 ? { ...chunk, vector } : chunk)),
  }));
  return { ...page, sections };
}

/** The error of ours that `work` ends with; undefined where it succeeds. */
async function refusalOf(work: () => Promise<unknown>): Promise<TidingsError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof TidingsError) return error;
    throw error;
  }
}

async function withLab<T>(openLab: () => Promise<SinkLab>, look: (lab: SinkLab) => Promise<T>): Promise<T> {
  await using lab = await openLab();
  return await look(lab);
}
