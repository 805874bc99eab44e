import { WriteRefusedError } from '../../errors/write-refused-error.ts';
import type { HubStore, SourceCheck, WatchedSource } from '../store/hub-store.ts';
import type { VisitPorts } from '../visit/visit-ports.ts';
import type { WatchOptions } from '../watch/watch.ts';
import { ClaimedVisits, type ClaimedVisitsOptions } from './claimed-visits.ts';
import type { Fence, PlannedSource } from './journal.ts';

/** The store of a hub, as one of its processes has it. */
export interface SharedStore extends Pick<HubStore, 'sources' | 'removeSource' | 'checksOf' | 'putFact'> {
  /** How far this process has come. */
  readonly replica: {
    readonly rev: number;
    applied(rev: number): Promise<unknown>;
    /** Resolves when everything written so far is applied here. */
    current(): Promise<void>;
  };
  putSources(sources: readonly WatchedSource[], edit?: Pick<PlannedSource, 'expectedRev' | 'overrules'>): Promise<void>;
  /** Writes through it are refused with {@link WriteRefusedError} once another process has the task. */
  under(fence: Fence): VisitPorts['store'] & Pick<HubStore, 'recordChecks'>;
  /** As it is in this process now. */
  findSource(id: string): WatchedSource | undefined;
  /** Called with the sources of each write that names some, whichever process made it, when it is applied here. */
  onSources(listener: (ids: readonly string[]) => void): void;
}

/** Turns a watch into one of several over the same sources. */
export interface SharedWatch extends Required<Pick<WatchOptions, 'store' | 'openPlan' | 'followOthers' | 'isPrompt'>> {
  /** The store for a visit of that source, while this process holds the source. */
  storeOf(id: string): VisitPorts['store'];
  /** How many sources this process visits now. */
  held(): number;
}

export function sharedWatch(store: SharedStore, options: Omit<ClaimedVisitsOptions, 'applied' | 'rev'>): SharedWatch {
  let plan: ClaimedVisits | undefined;
  const { replica } = store;
  const standing = { rev: () => replica.rev, applied: (rev: number) => replica.applied(rev) };
  return {
    store: {
      sources: () => store.sources(),
      putSources: (sources) => putEdited(store, sources),
      removeSource: (id) => store.removeSource(id),
      recordChecks: async (checks) => {
        if (plan !== undefined) await recordUnderLeases(store, plan, checks);
      },
      checksOf: (id, limit) => store.checksOf(id, limit),
      putFact: (name, value) => store.putFact(name, value),
    },
    openPlan(visits) {
      plan = new ClaimedVisits(visits, { ...options, ...standing });
      return plan;
    },
    followOthers(watch) {
      store.onSources((ids) => {
        for (const id of ids) {
          const source = store.findSource(id);
          if (source === undefined) watch.forgotten(id);
          else watch.adopt(source);
        }
      });
    },
    isPrompt: true,
    storeOf(id) {
      const fence = plan?.fenceOf(id);
      if (fence === undefined) throw new WriteRefusedError('fenced');
      return store.under(fence);
    },
    held: () => plan?.held ?? 0,
  };
}

/**
 * An edit is based on everything that is applied here. If it is refused for a later write of another process, that write is applied here first. A running
 * visit no longer counts.
 */
async function putEdited(store: SharedStore, sources: readonly WatchedSource[]): Promise<void> {
  try {
    await store.putSources(sources, { expectedRev: store.replica.rev, overrules: true });
  } catch (error) {
    if (error instanceof WriteRefusedError) await store.replica.current();
    throw error;
  }
}

/** Each check ends its visit. It is not written if another process holds the source by now: that process makes its own. */
async function recordUnderLeases(
  store: SharedStore,
  plan: ClaimedVisits,
  checks: readonly SourceCheck[],
): Promise<void> {
  const record = async (one: SourceCheck) => {
    const { source } = one.check;
    const fence = plan.fenceOf(source);
    if (fence === undefined) return;
    try {
      await store.under(fence).recordChecks([one]);
    } catch (error) {
      if (!(error instanceof WriteRefusedError)) throw error;
    }
    plan.ended(source);
  };
  await Promise.all(checks.map(record));
}
