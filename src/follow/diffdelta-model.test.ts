import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type DiffDeltaService, startDiffDeltaService } from '../../test/support/diffdelta-service.ts';
import type { Fault } from '../../test/support/feed-server.ts';
import { createFollower, type Follower, type PollResult } from '../../test/support/publisher.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';

/** What a page says: the text of each of its sections. */
type Site = Map<string, Readonly<Record<string, string>>>;
/** A page goes, is written anew, or has some of its sections edited. */
type Edit = { readonly kind: 'gone' } | { readonly kind: 'page' | 'sections'; readonly text: Record<string, string> };

type Step =
  | { readonly kind: 'run'; readonly source: string; readonly edits: Readonly<Record<string, Edit>> }
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
const text = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('X', 'Y', 'Z'), { minKeys: 1 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.constant({ kind: 'gone' } as const),
  fc.record({ kind: fc.constant('page' as const), text }),
  fc.record({ kind: fc.constant('sections' as const), text }),
  fc.record({ kind: fc.constant('sections' as const), text }),
);
const edits = fc.dictionary(path, edit, { minKeys: 1, maxKeys: 3 });
const run: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('run'), source, edits });
const restate: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('restate'), source });
const poll: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('poll'),
  client: fc.nat(1),
  take: fc.nat(6),
  faults: fc.array(fault, { maxLength: 1 }),
});
const story = fc.array(fc.oneof(run, run, run, run, restate, poll, poll), { minLength: 2, maxLength: 14 });

/** Makes the site what the edits say, and publishes that. */
function publish(service: DiffDeltaService, site: Site, { source: name, edits: all }: Step & { kind: 'run' }): void {
  const changes: Record<string, string | null | Record<string, string>> = {};
  for (const [page, one] of Object.entries(all)) {
    const own = `/${name}${page}`;
    const url = new URL(own, service.origin).href;
    const before = site.get(url);
    if (one.kind === 'gone') site.delete(url);
    else site.set(url, one.kind === 'page' ? one.text : { ...before, ...one.text });
    if (one.kind === 'gone') changes[own] = null;
    else changes[own] = one.kind === 'page' || before === undefined ? JSON.stringify(one.text) : one.text;
  }
  service.run(name, changes);
}

/** What a consumer holds who takes from the site what every event names, and nothing else. */
class Holder {
  readonly pages: Site = new Map();
  events = 0;
  sections = 0;
  readonly #follower: Follower;
  readonly #urls: (service: DiffDeltaService) => string[];

  constructor(service: DiffDeltaService, urls: (service: DiffDeltaService) => string[]) {
    this.#follower = createFollower(service);
    this.#urls = urls;
  }

  async poll(service: DiffDeltaService, site: Site, take = Number.POSITIVE_INFINITY): Promise<PollResult> {
    const result = await this.#follower({ urls: this.#urls(service), take });
    for (const { action, url, anchor } of result.events) {
      this.events += 1;
      const page = site.get(url) ?? {};
      if (action === 'delete') this.pages.delete(url);
      else if (anchor === undefined) this.pages.set(url, page);
      else {
        this.sections += 1;
        this.pages.set(url, { ...this.pages.get(url), [anchor]: page[anchor] ?? '' });
      }
    }
    return result;
  }
}

const bySource = (service: DiffDeltaService) =>
  SOURCES.map((name) => new URL(`/diff/${name}/head.json`, service.origin).href);
const ofAll = (service: DiffDeltaService) => [new URL('/diff/head.json', service.origin).href];

clause(
  ['DD-P3', 'DD-T5'],
  'clients that sleep over any number of runs end with what one has that polled each run, section by section',
  async () => {
    let faultsFired = 0;
    let told = 0;
    let sections = 0;
    await fc.assert(
      fc.asyncProperty(story, fc.boolean(), async (steps, isOfAll) => {
        await using service = await startDiffDeltaService();
        const site: Site = new Map();
        // Both sources have a beginning, and pages of their own.
        for (const name of SOURCES) {
          const start = { kind: 'page', text: { a: 'X', b: 'X' } } as const;
          publish(service, site, { kind: 'run', source: name, edits: { '/start': start, '/p': start } });
        }
        const urls = isOfAll ? ofAll : bySource;
        const awake = new Holder(service, urls);
        const sleepers = [new Holder(service, urls), new Holder(service, urls)];
        for (const step of steps) {
          if (step.kind === 'run') {
            publish(service, site, step);
            expect((await awake.poll(service, site)).codes).toEqual([]);
          } else if (step.kind === 'restate') {
            service.restate(step.source);
          } else {
            const [place = ''] = urls(service);
            service.fail(new URL(place).pathname.replace('head', 'latest'), ...step.faults);
            await sleepers[step.client]?.poll(service, site, step.take);
          }
        }
        for (const holder of [awake, ...sleepers]) {
          for (let attempt = 0; attempt < 5; attempt += 1) {
            if ((await holder.poll(service, site)).error === undefined) break;
          }
          expect(holder.pages).toEqual(site);
          const again = await holder.poll(service, site);
          expect(again).toMatchObject({ ids: [], error: undefined, codes: [] });
        }
        faultsFired += service.faultsFired;
        told += awake.events;
        sections += sleepers.reduce((sum, sleeper) => sum + sleeper.sections, 0);
      }),
      { numRuns: shortOrLong(6, 40), ...shortOrLong({ seed: 3 }, {}) },
    );
    expect(told).toBeGreaterThan(shortOrLong(20, 100));
    expect(sections).toBeGreaterThan(20);
    expect(faultsFired).toBeGreaterThan(shortOrLong(0, 3));
  },
);

test('p→Y, q→Z, p→X, p→Y: who slept since the first does not believe that nothing happened', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/p': 'Y' });
  const follower = createFollower(service);
  const urls = [new URL('/diff/docs/head.json', service.origin).href];
  await follower({ urls });
  service.run('docs', { '/q': 'Z' });
  service.run('docs', { '/p': 'X' });
  service.run('docs', { '/p': 'Y' });
  const { events, codes } = await follower({ urls });
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
