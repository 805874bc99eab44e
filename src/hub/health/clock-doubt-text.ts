import { formatTime } from '../../codecs/primitives/time.ts';
import type { ClockDoubt } from '../schedule/doubting-clock.ts';

/** What operators and readers are told of a clock that is not believed. */
export function clockDoubtText({ wallMs, keptMs }: ClockDoubt): string {
  return (
    `The clock of the machine says ${momentText(wallMs)}, far ahead of all that is known: it is not believed, and changes are stamped ` +
    `from ${momentText(keptMs)} on. "tidings doctor" says how to mend it.`
  );
}

function momentText(ms: number): string {
  return `${formatTime(ms).slice(0, 19)}Z`;
}
