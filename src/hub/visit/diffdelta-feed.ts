import { MemoryFollowState } from '../../follow/memory-follow-state.ts';
import { poll } from '../../follow/poll.ts';
import type { FeedReading, FeedVisit } from './feed-readers.ts';

/** The items of a DiffDelta service, of all its sources. A source of it that cannot be read is noted; the others are read. */
export async function readDiffDeltaFeed({ url, apiKey, state, ports, note }: FeedVisit): Promise<FeedReading> {
  const options = { url, content: false, since: {}, dialect: 'diffdelta' as const, apiKey };
  const events = poll(options, { ...ports, state, report: ({ message }) => note(message) });
  let next = await events.next();
  while (!next.done) next = await events.next();
  const { freshMs, incomplete } = next.value;
  if (incomplete !== undefined) note(incomplete.message);
  return freshMs === undefined ? {} : { freshMs };
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
