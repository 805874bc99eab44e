import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type DiffDeltaService, startDiffDeltaService } from '../../test/support/diffdelta-service.ts';
import type { Fault } from '../../test/support/feed-server.ts';
import { createFollower, type Follower, type PollResult } from '../../test/support/publisher.ts';

type Step =
  | { readonly kind: 'run'; readonly source: string; readonly edits: Readonly<Record<string, string | null>> }
  | { readonly kind: 'restate'; readonly source: string }
  | { readonly kind: 'poll'; readonly client: number; readonly take: number; readonly faults: readonly Fault[] };

const SOURCES = ['docs', 'blog'];
const source = fc.constantFrom(...SOURCES);
const path = fc.constantFrom('/p', '/q', '/r', '/s');
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), afterBytes: fc.nat(900) }),
  fc.record({ kind: fc.constant('status' as const), status: fc.constantFrom(500, 502) }),
  fc.constant({ kind: 'reset' } as const),
);
const edits = fc.dictionary(path, fc.option(fc.constantFrom('X', 'Y'), { nil: null }), { minKeys: 1, maxKeys: 3 });
const run: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('run'), source, edits });
const restate: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('restate'), source });
const poll: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('poll'),
  client: fc.nat(1),
  take: fc.nat(6),
  faults: fc.array(fault, { maxLength: 1 }),
});
const story = fc.array(fc.oneof(run, run, run, run, restate, poll, poll), { minLength: 2, maxLength: 14 });

/** What a consumer holds who did what every event said. */
class Holder {
  readonly items = new Map<string, string>();
  events = 0;
  readonly #follower: Follower;
  readonly #urls: (service: DiffDeltaService) => string[];

  constructor(service: DiffDeltaService, urls: (service: DiffDeltaService) => string[]) {
    this.#follower = createFollower(service);
    this.#urls = urls;
  }

  async poll(service: DiffDeltaService, take = Number.POSITIVE_INFINITY): Promise<PollResult> {
    const result = await this.#follower({ urls: this.#urls(service), take });
    for (const { action, itemId = '', checksum = '' } of result.events) {
      this.events += 1;
      if (action === 'delete') this.items.delete(itemId);
      else this.items.set(itemId, checksum);
    }
    return result;
  }
}

const bySource = (service: DiffDeltaService) =>
  SOURCES.map((name) => new URL(`/diff/${name}/head.json`, service.origin).href);
const ofAll = (service: DiffDeltaService) => [new URL('/diff/head.json', service.origin).href];

clause(
  ['DD-P3', 'DD-T5'],
  'clients that sleep over any number of runs end with the items of one that polled each run',
  async () => {
    let faultsFired = 0;
    let told = 0;
    await fc.assert(
      fc.asyncProperty(story, fc.boolean(), async (steps, isOfAll) => {
        await using service = await startDiffDeltaService();
        // Both sources have a beginning, and pages of their own.
        service.run('docs', { '/docs/start': 'X' });
        service.run('blog', { '/blog/start': 'X' });
        const urls = isOfAll ? ofAll : bySource;
        const awake = new Holder(service, urls);
        const sleepers = [new Holder(service, urls), new Holder(service, urls)];
        for (const step of steps) {
          if (step.kind === 'run') {
            const own = Object.entries(step.edits).map(([page, text]) => [`/${step.source}${page}`, text]);
            service.run(step.source, Object.fromEntries(own));
            expect((await awake.poll(service)).codes).toEqual([]);
          } else if (step.kind === 'restate') {
            service.restate(step.source);
          } else {
            const [place = ''] = urls(service);
            service.fail(new URL(place).pathname.replace('head', 'latest'), ...step.faults);
            await sleepers[step.client]?.poll(service, step.take);
          }
        }
        const truth = Object.assign({}, ...SOURCES.map((name) => service.live(name)));
        for (const holder of [awake, ...sleepers]) {
          for (let attempt = 0; attempt < 5; attempt += 1) {
            if ((await holder.poll(service)).error === undefined) break;
          }
          expect(Object.fromEntries(holder.items)).toEqual(truth);
          const again = await holder.poll(service);
          expect(again).toMatchObject({ ids: [], error: undefined, codes: [] });
        }
        faultsFired += service.faultsFired;
        told += awake.events;
      }),
      { numRuns: 20 },
    );
    expect(told).toBeGreaterThan(100);
    expect(faultsFired).toBeGreaterThan(3);
  },
);

test('p→Y, q→Z, p→X, p→Y: who slept since the first does not believe that nothing happened', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/p': 'Y' });
  const holder = new Holder(service, (server) => [new URL('/diff/docs/head.json', server.origin).href]);
  await holder.poll(service);
  service.run('docs', { '/q': 'Z' });
  service.run('docs', { '/p': 'X' });
  service.run('docs', { '/p': 'Y' });
  const { events, codes } = await holder.poll(service);
  expect(events.map(({ action, excerpt }) => `${action} ${excerpt}`)).toEqual(['create Z', 'update X', 'update Y']);
  expect(codes).toEqual([]);
});

clause('DD-N3', 'delta_counts choose the same sources as a look into the buckets', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('docs', { '/a': 'two' });
  service.run('blog', { '/b': 'one' });
  for (const name of SOURCES) {
    const { sources, buckets } = service.feedOf(name);
    const counted = (sources[name]?.delta_counts?.new ?? 0) > 0;
    expect(counted).toBe(buckets.new.length > 0);
  }
});
