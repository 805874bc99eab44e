import type { WatchedSource } from '../store/hub-store.ts';
import type { AlertKind } from './alert.ts';

/** What can be wrong with a source that is read. */
export type SourceTrouble = Extract<
  AlertKind,
  'source.broken' | 'source.quiet' | 'source.deletions' | 'source.untrusted'
>;

const UNTRUSTED = ['AgentFeedUntrustedError', 'AgentFeedSuspendedError'];
const SAFETY_STOP = 'SafetyStopError';

/** Why the last check of a source failed; undefined if it did not, or if the source is paused. */
export function failureOf({ paused, health: { error } }: WatchedSource): SourceTrouble | undefined {
  if (paused !== undefined || error === undefined) return undefined;
  if (error.code === SAFETY_STOP) return 'source.deletions';
  return UNTRUSTED.includes(error.code) ? 'source.untrusted' : 'source.broken';
}

/** What it means and what to do, in the words used everywhere for operators; `command`: how, without a page with a button. */
export const SOURCE_ADVICE: Readonly<Record<SourceTrouble, { readonly advice: string; readonly command?: string }>> = {
  'source.broken': {
    advice: 'Look at the source yourself. If it is gone for good, pause or remove it.',
    command: '"tidings source test <id>" reads it once and says what it meets.',
  },
  'source.quiet': {
    advice:
      'See whether the site or feed still tells what is new; it may have moved, or its feed may have stopped being written.',
  },
  'source.deletions': {
    advice: 'Much of the source vanished at once, and nothing of that was told. If it is right, allow it.',
    command: '"tidings source resume <id> --allow-deletes" does that.',
  },
  'source.untrusted': {
    advice: 'Its origin ended, moved or broke its agent-feed. Nothing of it counts until you trust it again.',
    command: '"tidings source retrust <id>" does that.',
  },
};

export function adviceWithCommand(trouble: SourceTrouble): string {
  const { advice, command } = SOURCE_ADVICE[trouble];
  return command === undefined ? advice : `${advice} ${command}`;
}
