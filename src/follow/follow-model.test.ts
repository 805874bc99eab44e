import fc from 'fast-check';
import { expect } from 'vitest';
import { clause } from '../../test/clause.ts';
import type { Fault } from '../../test/support/feed-server.ts';
import { createFollower, FEED, linesOf, startPublisher } from '../../test/support/publisher.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';

type Step =
  | { readonly kind: 'publish'; readonly count: number }
  | { readonly kind: 'rotate'; readonly overlap: number }
  | { readonly kind: 'poll'; readonly take: number; readonly faults: readonly Fault[] };

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constantFrom('cut' as const, 'cut-chunked' as const), afterBytes: fc.nat(900) }),
  fc.record({ kind: fc.constant('status' as const), status: fc.constantFrom(500, 403, 429) }),
  fc.record({ kind: fc.constant('wrong-range' as const), start: fc.nat(50) }),
  fc.record({ kind: fc.constant('short-range' as const), bytes: fc.integer({ min: 1, max: 600 }) }),
  fc.constant({ kind: 'range-not-satisfiable' } as const),
  fc.constant({ kind: 'reset' } as const),
);

const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ kind: fc.constant('publish'), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant('rotate'), overlap: fc.nat(3) }),
    fc.record({ kind: fc.constant('poll'), take: fc.nat(5), faults: fc.array(fault, { maxLength: 2 }) }),
  ),
  { minLength: 1, maxLength: 14 },
);

clause(
  ['AICF-H3', 'AICF-H4', 'AICF-C3'],
  'whatever breaks and whenever it stops, every event comes once and in order',
  async () => {
    let faultsFired = 0;
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (story, ranges) => {
        await using server = await startPublisher({ ranges, gzip: true });
        const follower = createFollower(server);
        const published: string[] = [];
        const delivered: string[] = [];
        const files = [FEED];
        for (const step of story) {
          const self = files.at(-1) ?? FEED;
          if (step.kind === 'publish') {
            const ids = Array.from({ length: step.count }, (_, index) => idOf(published.length + index));
            published.push(...ids);
            server.append(self, linesOf(...ids.map((id) => server.event(id))));
          } else if (step.kind === 'rotate') {
            const overlap = step.overlap === 0 ? [] : published.slice(-step.overlap);
            files.push(`/feed-${files.length}.ndjson`);
            const urls = files.map((path) => new URL(path, server.origin).href);
            server.put(files.at(-1) ?? FEED, linesOf(...overlap.map((id) => server.event(id))));
            server.discover({ self: urls.at(-1), archives: urls.slice(0, -1) });
          } else {
            server.fail(self, ...step.faults);
            delivered.push(...(await follower({ take: step.take })).ids);
          }
        }
        for (let attempt = 0; attempt < 60 && delivered.length < published.length; attempt += 1) {
          delivered.push(...(await follower()).ids);
        }
        faultsFired += server.faultsFired;
        expect(delivered).toEqual(published);
      }),
      { numRuns: shortOrLong(10, 50) },
    );
    expect(faultsFired).toBeGreaterThan(0);
  },
);

function idOf(index: number): string {
  return `01J${String(index).padStart(6, '0')}`;
}
