import type { OverviewSnapshot } from '../../src/doors/hub-overview.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const STATES = { error: 1, degraded: 0, unstable: 0, quiet: 0, disabled: 0, pending: 2, ok: 9 };

/** A possible state of a hub at noon. */
export function snapshotOf(more: Partial<OverviewSnapshot> = {}): OverviewSnapshot {
  return {
    atMs: NOON,
    of: 'http://127.0.0.1:8080/',
    running: true,
    states: STATES,
    sources: 12,
    changes: 3204,
    attention: [
      {
        id: 'docs',
        title: 'Docs',
        address: 'https://docs.example/',
        kind: 'site',
        word: 'error',
        remarks: ['It answered 503.'],
      },
    ],
    recent: [
      {
        id: '01KH',
        time: '2026-03-01T11:59:30Z',
        source: 'blog',
        action: 'update',
        url: 'https://blog.example/a',
        boundary: 'https://blog.example/a#install',
        title: 'Setup',
        heading: 'Install',
      },
    ],
    busiest: [],
    writable: true,
    jobs: [
      {
        id: '1',
        what: 'First reading',
        source: 'wiki',
        done: 120,
        total: 400,
        unit: 'pages',
        startedAt: '2026-03-01T11:59:48Z',
      },
    ],
    ...more,
  };
}
