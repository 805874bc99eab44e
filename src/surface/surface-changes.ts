import type { ChangeDraft } from '../model/change.ts';
import type { EndpointRecord } from './endpoint-record.ts';
import { type AppliedFactLike, changeOfEnd, changeOfFact, changeOfMove, endpointPlaceOf } from './fact-change.ts';
import { createSurfaceTable } from './surface-table.ts';

interface AppliedOrVoid extends AppliedFactLike {
  /** It was verified but had no effect. */
  readonly isVoid?: boolean | undefined;
}

/** The facts of one feed as changes. They are passed in the order in which they were applied, starting with the first. */
export interface SurfaceChanges {
  tell(applied: AppliedOrVoid): readonly ChangeDraft[];
  /** Takes a fact that was reported before: later facts depend on it. */
  recall(applied: AppliedOrVoid): void;
  /** Ends every endpoint known so far. */
  end(how: 'terminated' | 'migrated'): readonly ChangeDraft[];
  /** Restores every endpoint known so far, in the state after its last fact. */
  revive(): readonly ChangeDraft[];
}

export function createSurfaceChanges({
  source,
  feedUrl,
}: {
  readonly source: string;
  readonly feedUrl: string;
}): SurfaceChanges {
  const table = createSurfaceTable(new URL('/', feedUrl));
  const last = new Map<string, AppliedFactLike>();
  /** The number of endpoints at each URL. */
  const served = new Map<string, number>();
  return {
    tell(applied) {
      const taken = take(applied);
      if (taken === undefined) return [];
      const context = { source, feedUrl, ...taken };
      return [...taken.left.map((url) => changeOfMove(url, applied, context)), changeOfFact(applied, context)];
    },
    recall: (applied) => void take(applied),
    end: (how) => table.records().map((record) => changeOfEnd(record, { source, feedUrl, how })),
    revive: () =>
      table.records().flatMap((record) => {
        const applied = last.get(record.endpointId);
        if (applied === undefined) return [];
        return [{ ...changeOfFact(applied, { source, feedUrl, record }), action: 'create' as const }];
      }),
  };

  /** Undefined if the fact had no effect. */
  function take(applied: AppliedOrVoid): Taken | undefined {
    const { fact, isVoid = false } = applied;
    if (isVoid) return undefined;
    const { endpointId } = fact;
    const protocol = fact.type === 'endpoint-announcement' ? fact.protocol : undefined;
    const ofFact = () => table.find(endpointId).findLast((one) => protocol === undefined || one.protocol === protocol);
    const isFirst = protocol !== undefined && ofFact() === undefined;
    // Only an announcement gives the URL of an endpoint.
    const urlsNow = () => (protocol === undefined ? [] : ownUrlsOf(endpointId));
    const before = urlsNow();
    const event = table.apply(fact);
    if (event === 'deprecation-of-unknown' || event === 'limit-exceeded') return undefined;
    last.set(endpointId, applied);
    for (const url of before) count(url, -1);
    for (const url of urlsNow()) count(url, 1);
    const record = ofFact();
    return record && { record, isFirst, left: [...new Set(before)].filter((url) => !served.has(url)) };
  }

  function ownUrlsOf(endpointId: string): string[] {
    const places = table.find(endpointId).map((record) => endpointPlaceOf(record, feedUrl));
    return places.flatMap(({ url, anchor }) => (anchor === undefined ? [url] : []));
  }

  function count(url: string, by: number): void {
    const endpoints = (served.get(url) ?? 0) + by;
    if (endpoints === 0) served.delete(url);
    else served.set(url, endpoints);
  }
}

interface Taken {
  /** The endpoint after the fact. */
  readonly record: EndpointRecord;
  readonly isFirst: boolean;
  /** URLs without an endpoint since the fact. */
  readonly left: readonly string[];
}
