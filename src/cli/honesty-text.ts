import type { HonestyReport } from '../doors/honesty.ts';
import { terminalText } from './terminal-text.ts';

/** A report for people: the counts, then each page of which there is something to say. */
export function honestyText(report: HonestyReport): readonly string[] {
  const { url, dialect, sampled, compared, toldAndTrue, toldNotSeen, seenNotTold, timesOff, pages } = report;
  const head = `${url} (${dialect}): samples: ${sampled}, compared: ${compared}`;
  if (pages.length === 0)
    return [terminalText(`${head}. This is the baseline: run this again when something may have changed.`)];
  const times = timesOff.max === null ? '' : `; times off by ${timesOff.median} s, at most ${timesOff.max} s`;
  return [
    `${head}; told and true: ${toldAndTrue}, told and not seen: ${toldNotSeen}, seen and not told: ${seenNotTold}${times}`,
    ...pages.flatMap((page) => {
      if (page.verdict === 'same') return [];
      const parts = [...(page.unseen ?? []), ...(page.untold ?? [])].filter((boundary) => boundary !== page.url);
      const more = [page.reason ?? '', ...parts].filter((text) => text !== '').join(', ');
      return [`  ${page.verdict.padEnd(13)}  ${page.url}${more === '' ? '' : ` (${more})`}`];
    }),
  ].map(terminalText);
}
