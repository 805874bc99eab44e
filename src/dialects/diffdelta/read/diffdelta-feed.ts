import { FollowIncompleteError } from '../../../errors/follow-error.ts';
import { halfReadError } from '../../../errors/source-trouble.ts';
import { MemoryFollowState } from '../../../follow/memory-follow-state.ts';
import { type PollOutcome, poll } from '../../../follow/poll.ts';
import type { FeedReading, FeedVisit } from '../../../hub/visit/feed-readers.ts';
import { isHalfRead } from '../../../hub/visit/source-reading.ts';

/**
 * The items of a DiffDelta service, of all its sources. A source of it that cannot be read is noted; the others are read.
 * Throws a `HalfReadError` behind them where it is at least half of all.
 */
export async function readDiffDeltaFeed({ url, apiKey, state, ports, note }: FeedVisit): Promise<FeedReading> {
  const options = { url, content: false, since: {}, dialect: 'diffdelta' as const, apiKey };
  const events = poll(options, { ...ports, state, report: ({ message }) => note(message) });
  let next = await events.next();
  while (!next.done) next = await events.next();
  const { freshMs, incomplete, feeds } = next.value;
  if (incomplete !== undefined) note(incomplete.message);
  if (feeds !== undefined) stopIfHalfFailed(next.value, feeds);
  return { ...(freshMs !== undefined && { freshMs }), ...(feeds !== undefined && { unread: feeds.failed }) };
}

function stopIfHalfFailed({ incomplete }: PollOutcome, { failed, all }: NonNullable<PollOutcome['feeds']>): void {
  if (!isHalfRead({ unread: failed, pages: all })) return;
  const errors = incomplete instanceof FollowIncompleteError ? incomplete.errors : [incomplete];
  // A pause ends a poll, so the last error is the one that asks for it.
  const last = errors.at(-1);
  const retryAfterMs = last !== undefined && 'retryAfterMs' in last ? last.retryAfterMs : undefined;
  throw halfReadError(failed, all, errors[0]?.message ?? '', {
    what: 'feeds',
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
  });
}

export async function tryDiffDeltaFeed({ url, apiKey, ports, note }: Omit<FeedVisit, 'state'>): Promise<string> {
  const state = new MemoryFollowState();
  const options = { url, content: false, since: {}, dialect: 'diffdelta' as const, apiKey };
  const events = poll(options, { ...ports, state, report: ({ message }) => note(message) });
  const first = await events.next();
  if (first.done) return 'a DiffDelta feed without items yet';
  const { title, url: page, time } = first.value;
  await events.return({ freshMs: undefined });
  return `a DiffDelta feed; the first item is ${JSON.stringify(title ?? page)} of ${time}`;
}
