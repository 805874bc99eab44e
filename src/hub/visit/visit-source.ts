import type { LadderState } from '../../follow/ladder.ts';
import type { HonestyStanding } from '../../model/honesty-standing.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';
import type { AutoVisitPorts } from './auto-visit.ts';
import { type SourceReading, shortNotes } from './source-reading.ts';
import { auditSource } from './visit-audit.ts';
import { visitAuto } from './visit-auto.ts';
import { endedBy, type SourceReadBefore } from './visit-end.ts';
import { visitFeed } from './visit-feed.ts';
import { visitFolder } from './visit-folder.ts';
import { beginSample, honestyNotes } from './visit-honesty.ts';
import { visitPages } from './visit-pages.ts';
import type { VisitPorts } from './visit-ports.ts';
import { visitSite } from './visit-site.ts';

/**
 * One look at one source: what is new becomes changes in the log, in the same step that updates what is remembered of it.
 *
 * What cannot be read changes nothing. Throws only errors that are not the source's: {@link LogFullError}, {@link LogUnavailableError}, a bug.
 */
export async function visitSource(source: WatchedSource, ports: VisitPorts): Promise<VisitOutcome> {
  const sample = await beginSample(source, ports);
  const found = await visit(source, ports);
  if (found.is === 'abandoned') return found;
  const outcome = found.is === 'read' ? withHonesty(found, source, await sample?.finish()) : found;
  const pause = await ports.pauseOf?.();
  return pause === undefined ? outcome : { ...outcome, pause };
}

/** The findings of the last sample are shown until the next one. */
function withHonesty(
  outcome: ReadOutcome,
  { health }: WatchedSource,
  looked: HonestyStanding | undefined,
): ReadOutcome {
  const honesty = looked ?? health.honesty;
  if (honesty === undefined) return outcome;
  return { ...outcome, honesty, notes: shortNotes([...outcome.notes, ...honestyNotes(honesty)]) };
}

type ReadOutcome = Extract<VisitOutcome, { readonly is: 'read' }>;

async function visit(source: WatchedSource, ports: VisitPorts): Promise<VisitOutcome> {
  let changes = 0;
  let ladder: LadderState | undefined;
  const onLadder = (state: LadderState) => {
    ladder = state;
  };
  const onWritten = (count: number) => {
    changes += count;
  };
  try {
    ports.signal.throwIfAborted();
    await auditSource(source, ports);
    const reading = await read(source, { ...ports, store: counted(ports.store, onWritten), onWritten, onLadder });
    return { is: 'read', changes, ...reading, ...(ladder !== undefined && { ladder }) };
  } catch (error) {
    const outcome = endedBy(error, ports.signal, changes, knownSource(source));
    return outcome.is === 'failed' && ladder !== undefined ? { ...outcome, ladder } : outcome;
  }
}

/** Undefined before it was read for the first time: until then, anybody may answer. */
function knownSource({ config, health }: WatchedSource): SourceReadBefore | undefined {
  if (health.lastOkMs === undefined || config.kind === 'folder') return undefined;
  return { url: config.kind === 'page' ? (config.urls[0] ?? config.id) : config.url };
}

function read(source: WatchedSource, ports: AutoVisitPorts): Promise<SourceReading> {
  const { config } = source;
  switch (config.kind) {
    case 'auto':
      return visitAuto(config, source, ports);
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

/** Changes count once they are written, including those of a visit that fails later. */
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
    changes: (query) => store.changes(query),
    seqBefore: (timeMs) => store.seqBefore(timeMs),
  };
}
