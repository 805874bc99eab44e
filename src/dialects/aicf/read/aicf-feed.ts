import { MemoryFollowState } from '../../../follow/memory-follow-state.ts';
import { poll } from '../../../follow/poll.ts';
import type { FeedReading, FeedVisit } from '../../../hub/visit/feed-readers.ts';

/** The events of an AICF feed. Pages are not fetched for them: who wants the content asks for it. */
export async function readAicfFeed({ url, state, ports, note }: FeedVisit): Promise<FeedReading> {
  const events = poll(
    { url, content: false, since: {}, dialect: 'aicf' },
    { ...ports, state, report: ({ message }) => note(message) },
  );
  let next = await events.next();
  while (!next.done) next = await events.next();
  const { freshMs } = next.value;
  return freshMs === undefined ? {} : { freshMs };
}

export async function tryAicfFeed({ url, ports, note }: Omit<FeedVisit, 'state'>): Promise<string> {
  const state = new MemoryFollowState();
  const events = poll(
    { url, content: false, since: {}, dialect: 'aicf' },
    { ...ports, state, report: ({ message }) => note(message) },
  );
  const first = await events.next();
  if (first.done) return 'an AI Changefeed without events yet';
  const { id, time } = first.value;
  await events.return({ freshMs: undefined });
  return `an AI Changefeed; the first event is ${id} of ${time}`;
}
