import type { WatchedSource } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';
import type { SourceReading } from './source-reading.ts';
import { endedBy } from './visit-end.ts';
import { type FeedVisitPorts, visitFeed } from './visit-feed.ts';
import { visitFolder } from './visit-folder.ts';
import { visitPages } from './visit-pages.ts';
import type { VisitPorts } from './visit-ports.ts';
import { visitSite } from './visit-site.ts';

/**
 * One look at one source: what it says now becomes changes in the log, in the same step in which the memory of it moves on.
 *
 * What cannot be read changes nothing. Throws only what is not the source's: {@link LogFullError}, {@link LogUnavailableError}, a bug.
 */
export async function visitSource(source: WatchedSource, ports: VisitPorts): Promise<VisitOutcome> {
  const outcome = await visit(source, ports);
  if (outcome.is === 'abandoned') return outcome;
  const pause = await ports.pauseOf?.();
  return pause === undefined ? outcome : { ...outcome, pause };
}

async function visit(source: WatchedSource, ports: VisitPorts): Promise<VisitOutcome> {
  let changes = 0;
  const onWritten = (count: number) => {
    changes += count;
  };
  try {
    ports.signal.throwIfAborted();
    const reading = await read(source, { ...ports, store: counted(ports.store, onWritten), onWritten });
    return { is: 'read', changes, ...reading };
  } catch (error) {
    return endedBy(error, ports.signal, changes);
  }
}

function read(source: WatchedSource, ports: FeedVisitPorts): Promise<SourceReading> {
  const { config } = source;
  switch (config.kind) {
    case 'folder':
      return visitFolder(config, source, ports);
    case 'site':
      return visitSite(config, source, ports);
    case 'page':
      return visitPages(config, source, ports);
    case 'feed':
      return visitFeed(config, source, ports);
  }
}

/** Changes count once they are written, also those of a visit that fails later. */
function counted(store: VisitPorts['store'], add: (count: number) => void): VisitPorts['store'] {
  return {
    pagesOf: (source) => store.pagesOf(source),
    async commit(visit) {
      const changes = await store.commit(visit);
      add(changes.length);
      return changes;
    },
    storage: (kind) => store.storage(kind),
    followStateOf: (source) => store.followStateOf(source),
  };
}
