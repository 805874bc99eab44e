import { formatTime } from '../../codecs/primitives/time.ts';
import type { ClockDoubt } from '../schedule/doubting-clock.ts';

/** The text for operators and readers about a clock that contradicts what is on record. */
export function clockDoubtText(doubt: ClockDoubt): string {
  return `The clock of the machine says ${momentText(doubt.wallMs)}, ${meaningOf(doubt)} "tidings doctor" says how to mend it.`;
}

function meaningOf({ is, keptMs, knownMs }: ClockDoubt): string {
  switch (is) {
    case 'ahead':
      return `far ahead of all that is known: it is not believed, and changes are stamped from ${momentText(keptMs)} on.`;
    case 'far':
      return `and the newest change or check is of ${momentText(knownMs)}. It is believed; where the hub was not stopped for that long, it is wrong.`;
    case 'behind':
      return `behind the newest change or check, of ${momentText(knownMs)}: until it has caught up, new changes carry the time of the newest one.`;
  }
}

function momentText(ms: number): string {
  return `${formatTime(ms).slice(0, 19)}Z`;
}
