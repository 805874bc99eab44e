import type { PageVerdict, VerdictWord } from './judge-page.ts';

/** Whether a feed reports changes of its pages truthfully, by a sample of them. */
export interface HonestyReport extends HonestyCounts {
  readonly url: string;
  readonly dialect: string;
  /** One for each page of the last sample. */
  readonly pages: readonly (Omit<PageVerdict, 'verdict'> & { readonly verdict: string })[];
}

export interface HonestyCounts {
  /** Pages that the next report compares. */
  readonly sampled: number;
  /** Pages of the last sample that could be compared; 0 in the first report. */
  readonly compared: number;
  readonly toldAndTrue: number;
  readonly toldNotSeen: number;
  readonly seenNotTold: number;
  /** In seconds: how far the times in the feed lie outside the two looks between which the change was seen. */
  readonly timesOff: { readonly median: number | null; readonly max: number | null };
}

const OPEN: readonly VerdictWord[] = ['unread', 'volatile'];

export function countVerdicts(pages: readonly PageVerdict[], sampled: number): HonestyCounts {
  const count = (...words: readonly VerdictWord[]) => pages.filter(({ verdict }) => words.includes(verdict)).length;
  const offs = pages.flatMap(({ offSeconds }) => offSeconds ?? []).sort((a, b) => a - b);
  return {
    sampled,
    compared: pages.length - count(...OPEN),
    toldAndTrue: count('true'),
    toldNotSeen: count('told-not-seen', 'both'),
    seenNotTold: count('seen-not-told', 'both'),
    timesOff: { median: offs[Math.floor((offs.length - 1) / 2)] ?? null, max: offs.at(-1) ?? null },
  };
}

/** Whether the feed reported something untrue or omitted something. */
export function hasFindings({ toldNotSeen, seenNotTold }: HonestyCounts): boolean {
  return toldNotSeen + seenNotTold > 0;
}
