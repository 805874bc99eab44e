import { formatTime, parseTime } from '../codecs/primitives/time.ts';
import type { Change } from '../model/change.ts';
import { shownText } from './shown-text.ts';

/** Something that happened to a page at one time, whatever the number of sections. */
interface Moment {
  readonly word: string;
  readonly time: string;
  /** As the origin wrote it, if it is not a full date. */
  readonly claimed: string | undefined;
}

const MINUTE = 5;
const SECOND = 8;

export interface DigestedMoments {
  /** When its origin says that the page changed, if that is a single time: `2026-03-01 12:00 UTC`. */
  readonly single?: string;
  /** What happened and when, in log order, if there are several times. */
  readonly several: readonly string[];
}

/** When a page changed, for people. */
export function digestMoments(changes: readonly Change[]): DigestedMoments {
  const lines = [...linesOf(changes).values()];
  if (lines.length > 1) return { several: lines.map(({ word, when }) => `${word} ${when}`) };
  const [line] = lines;
  const isClaimed = changes.every(({ claimedTime }) => claimedTime !== undefined);
  return { ...(line !== undefined && isClaimed && { single: line.when }), several: [] };
}

interface Line {
  readonly word: string;
  readonly when: string;
}

/** Keyed by their text. Minutes are precise enough unless two times share one. */
function linesOf(changes: readonly Change[]): ReadonlyMap<string, Line> {
  const moments = momentsOf(changes);
  const inMinute = countBy(new Set(moments.map(({ time }) => time)), (time) => clockOf(time, MINUTE));
  const whenOf = ({ time, claimed }: Moment) => {
    const minute = clockOf(time, MINUTE);
    return claimed ?? ((inMinute.get(minute) ?? 0) > 1 ? clockOf(time, SECOND) : minute);
  };
  const told = countBy(moments, (moment) => `${moment.word} ${whenOf(moment)}`);
  return new Map(
    moments.map((moment) => {
      const when = whenOf(moment);
      const line = `${moment.word} ${when}`;
      const count = told.get(line) ?? 1;
      return [line, { word: moment.word, when: count === 1 ? when : `${when}, ${count} times` }];
    }),
  );
}

/** Sections of one change share its time: they are one moment. */
function momentsOf(changes: readonly Change[]): Moment[] {
  const moments = changes.map(({ action, anchor, claimedTime, time, provenance }) => ({
    word: anchor === undefined ? `${action}d` : 'updated',
    time: claimedTime ?? time,
    claimed: /^\d{4}(?:-\d\d)?$/.exec(provenance.claimed ?? '')?.[0],
  }));
  return [...new Map(moments.map((moment) => [`${moment.word} ${moment.claimed ?? moment.time}`, moment])).values()];
}

function countBy<One>(all: Iterable<One>, keyOf: (one: One) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

/** The first characters of the time; midnight stands for a date without a time. */
function clockOf(time: string, length: number): string {
  const epochMs = parseTime(time);
  if (epochMs === undefined) return shownText(time, 40);
  const [date = '', clock = ''] = formatTime(epochMs).split('T');
  return clock === '00:00:00Z' ? date : `${date} ${clock.slice(0, length)} UTC`;
}
