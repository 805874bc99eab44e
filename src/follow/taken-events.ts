import type { Diagnostic } from '../dialects/diagnostic.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { backOffMs } from '../fetch/poll-interval.ts';
import type { FollowedEvent } from './followed-event.ts';
import type { PollOutcome } from './hand-on.ts';

/** Processes an event. Throws a {@link TidingsError} on failure: then the event was not taken. */
export type EventTaker = (event: FollowedEvent, signal: AbortSignal) => Promise<void>;

export interface TakingOptions {
  readonly take: EventTaker | undefined;
  /** An event that was not taken ends the poll. Otherwise the same event is tried again with growing pauses. */
  readonly once: boolean;
  /** Until the second try. */
  readonly pauseMs: number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

/** The events of a poll, each after it was taken. An event is processed only after the one before it was taken. */
export async function* takenEvents(
  events: AsyncGenerator<FollowedEvent, PollOutcome>,
  options: TakingOptions,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { take } = options;
  if (take === undefined) return yield* events;
  try {
    for (let next = await events.next(); ; next = await events.next()) {
      if (next.done) return next.value;
      await takeAtLast(next.value, take, options);
      yield next.value;
    }
  } finally {
    await events.return({ freshMs: undefined });
  }
}

async function takeAtLast(event: FollowedEvent, take: EventTaker, options: TakingOptions): Promise<void> {
  const { once, pauseMs, wait, signal, onDiagnostic } = options;
  for (let failures = 1; ; failures += 1) {
    try {
      return await take(event, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TidingsError) || error.recovery !== 'retry-later' || once) throw error;
      const nextMs = backOffMs(pauseMs, failures, undefined);
      const message = `${error.message} Next try in ${Math.ceil(nextMs / 1000)} s.`;
      onDiagnostic({ level: 'error', code: 'not-taken', message });
      await wait(nextMs, signal);
      signal.throwIfAborted();
    }
  }
}
