import type { Change } from '../../src/model/change.ts';

/** A change of the log, with defaults for what a test does not look at. */
export function changeOf(change: Partial<Change> & Pick<Change, 'url'>): Change {
  return {
    seq: 1,
    id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    source: 'docs',
    kind: 'page',
    action: 'update',
    time: '2026-02-05T12:00:00Z',
    provenance: {},
    ...change,
  };
}
