import { decodeEvent } from '../../../codecs/aicf/decode.ts';
import { StateCorruptError } from '../../../errors/state-corrupt-error.ts';
import type { PublishedChange, PublishedDocuments } from '../../shelf.ts';
import { aicfLine } from '../events/aicf-line.ts';
import { ALL_FEED, type FeedStores } from './feed-store.ts';

/** What the feeds on disk show about the log that they were written from. */
export function publishedChanges(store: Pick<FeedStores, 'names' | 'linesBehind'>): PublishedDocuments {
  return {
    async newestId() {
      const names = await store.names();
      let newest: string | undefined;
      // The feed of all has every line. If it is gone, the other feeds are used.
      for (const name of names.includes(ALL_FEED) ? [ALL_FEED] : names) {
        await store.linesBehind(name, (line) => {
          const id = idOf(line);
          if (id !== undefined && (newest === undefined || id > newest)) newest = id;
          return id !== undefined;
        });
      }
      return newest;
    },

    async tailAfter(last) {
      let knownId: string | undefined;
      const isKnown = (line: string) => {
        const id = idOf(line);
        if (id === undefined || id > last) return false;
        if (knownId === undefined || id > knownId) knownId = id;
        return true;
      };
      const found = new Map<string, PublishedChange>();
      const names = await store.names();
      // Only the name of its feed shows the source of a change, so the feed of all comes last.
      for (const name of [...names.filter((other) => other !== ALL_FEED), ALL_FEED]) {
        for (const line of await store.linesBehind(name, isKnown)) {
          const change = changeOf(line, name);
          if (!found.has(change.id)) found.set(change.id, change);
        }
      }
      return { knownId, changes: [...found.values()].sort((one, other) => (one.id < other.id ? -1 : 1)) };
    },
  };
}

function idOf(line: string): string | undefined {
  const event = decodeEvent(line);
  return event.ok ? event.value.id : undefined;
}

/** The change that gives exactly this line. */
function changeOf(line: string, source: string): PublishedChange {
  const event = decodeEvent(line);
  if (event.ok) {
    const { id, action, url, anchor, anchorIs, time, checksum, note, hints, via } = event.value;
    const change: PublishedChange = {
      id,
      source,
      kind: 'page',
      action,
      url,
      ...(anchor !== undefined && { anchor }),
      ...(anchorIs !== undefined && { anchorIs }),
      time,
      ...(checksum !== undefined && { checksum }),
      ...(note !== undefined && { note }),
      ...(hints !== undefined && { hints }),
      provenance: { recovered: true, ...(via !== undefined && { via }) },
    };
    if (aicfLine({ seq: 0, ...change }) === `${line}\n`) return change;
  }
  const what = `a line of it is none that this Tidings writes: ${line.slice(0, 200)}`;
  throw new StateCorruptError(`${source}.ndjson`, what, 'Restore into an empty folder instead.');
}
