import { MemoryReaderState } from '../../src/dialects/agent-feed/read/memory-reader-state.ts';
import type { ReaderEvent } from '../../src/dialects/agent-feed/read/reader-event.ts';
import { announcement, openAgentFeedLab, type TestEntry } from './agent-feed-origin.ts';

export const names = (events: readonly ReaderEvent[]) => events.map(({ event }) => event);

export async function openOne(entries: readonly TestEntry[] = [announcement('urn:1')]) {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  api.publish({ entries });
  const state = new MemoryReaderState();
  const reader = lab.reader({ state });
  /** The next poll, an hour later. */
  const again = async (later?: readonly TestEntry[]) => {
    lab.clock.nowMs += 3600_000;
    if (later !== undefined) api.publish({ entries: later });
    return await reader.ingest(api.url);
  };
  return { lab, api, reader, state, again };
}
