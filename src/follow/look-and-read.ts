import { parseTime } from '../codecs/primitives/time.ts';
import { type Reporting, warn } from '../dialects/diagnostic.ts';
import type { Batch } from '../dialects/reader.ts';
import { CursorLostError } from '../errors/cursor-lost-error.ts';
import { SiteUnreadError } from '../errors/site-unread-error.ts';
import type { ChangesPage, SourceLook, StreamedChange } from '../stream/change-stream.ts';
import { claimedMs, siteChange } from './site-change.ts';
import type { SiteMemory } from './site-memory.ts';
import type { OpenedSite } from './site-rung.ts';

export interface LookOptions extends Reporting {
  readonly feed: Pick<Batch, 'entry' | 'id'>;
  readonly signal: AbortSignal;
  /** Pages that were found by links are not wanted. */
  readonly needsSitemap: boolean;
  /** Pages that are not new when they are reported as new. */
  readonly passedOver?: ReadonlySet<string> | undefined;
}

export interface Looked {
  readonly look: SourceLook | undefined;
  readonly memory: SiteMemory;
  /** The number of changes after the cursor. */
  readonly found: number;
}

const CHANGES_AT_ONCE = 1000;
const NEWS_MS = 60_000;

/** Looks at a site and yields the changes after the cursor as they are found: a first look takes long. */
export async function* lookAndRead(
  site: OpenedSite,
  start: SiteMemory,
  options: LookOptions,
): AsyncGenerator<Batch, Looked> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const ended = new Ending(site.look(signal));
  let memory = start;
  let found = 0;
  try {
    for (;;) {
      // Everything found until the end is in the log by then.
      const isLast = ended.isReached;
      for await (const { changes, next } of pagesBehind(site, memory, options)) {
        memory = next === null ? memory : { ...memory, cursor: next };
        found += changes.length;
        if (changes.length > 0) yield { ...options.feed, ...(await told(changes, site, memory, options)), memory };
      }
      if (isLast) break;
      await Promise.race([ended.reached, site.news(NEWS_MS, signal)]);
    }
    const look = await ended.look();
    const { sinceMs: _, ...finished } = memory;
    if (look?.is === 'ok') memory = finished;
    yield { ...options.feed, changes: [], ...(memory !== start && { memory }) };
    return { look, memory, found };
  } finally {
    stopping.abort();
    await ended.reached;
  }
}

async function* pagesBehind(
  site: OpenedSite,
  { cursor, place }: SiteMemory,
  options: LookOptions,
): AsyncGenerator<ChangesPage, void> {
  let after = cursor;
  for (;;) {
    const page = await pageBehind(after, site, { ...options, place });
    yield page;
    if (page.changes.length < CHANGES_AT_ONCE) return;
    after = page.next ?? after;
  }
}

async function pageBehind(
  after: string | undefined,
  site: OpenedSite,
  options: LookOptions & Pick<SiteMemory, 'place'>,
): Promise<ChangesPage> {
  const { place, signal } = options;
  try {
    return await site.changes({ after, limit: CHANGES_AT_ONCE }, signal);
  } catch (error) {
    if (!(error instanceof CursorLostError)) throw error;
    const lost = `${place.url}: there is no event ${error.cursor} among what is known of its pages.`;
    warn(options, 'last-id-missing', `${lost} All of them are told; what happened before may be missing.`);
    return await site.changes({ limit: CHANGES_AT_ONCE }, signal);
  }
}

async function told(
  changes: readonly StreamedChange[],
  site: OpenedSite,
  { place, sinceMs = Number.NEGATIVE_INFINITY }: SiteMemory,
  { needsSitemap, passedOver }: LookOptions,
): Promise<Pick<Batch, 'changes' | 'seenIds'>> {
  const foundBy = await site.foundBy();
  if (needsSitemap && foundBy !== 'sitemaps') {
    throw new SiteUnreadError(
      place.url,
      `${place.url} has no sitemap that can be read. Leave --dialect away.`,
      'fix-input',
    );
  }
  const isOld = (change: StreamedChange) =>
    (claimedMs(change) ?? Number.POSITIVE_INFINITY) < sinceMs ||
    (isNewPage(change) && passedOver?.has(change.url) === true);
  return {
    changes: changes.filter((change) => !isOld(change)).map((change) => siteChange(change, foundBy)),
    seenIds: changes.filter(isOld).map(({ id }) => id),
  };
}

function isNewPage({ action, anchor }: StreamedChange): boolean {
  return action === 'create' && anchor === undefined;
}

/** Moves to the end of what is known and reports only the dates that pages claim. */
export async function passOver(
  site: OpenedSite,
  signal: AbortSignal,
): Promise<{ readonly cursor: string | undefined; readonly datesMs: ReadonlyMap<string, number> }> {
  const datesMs = new Map<string, number>();
  let cursor: string | undefined;
  for (;;) {
    const { changes, next } = await site.changes({ after: cursor, limit: CHANGES_AT_ONCE }, signal);
    for (const { url, claimedTime = '' } of changes) {
      const ms = parseTime(claimedTime);
      if (ms !== undefined) datesMs.set(url, ms);
    }
    cursor = next ?? cursor;
    if (changes.length < CHANGES_AT_ONCE) return { cursor, datesMs };
  }
}

/** The end of a look, which no caller has to await. */
class Ending {
  readonly reached: Promise<void>;
  #isReached = false;
  #look: SourceLook | undefined;
  #error: unknown;

  constructor(looking: Promise<readonly SourceLook[]>) {
    this.reached = looking
      .then(([look]) => {
        this.#look = look;
      })
      .catch((error: unknown) => {
        this.#error = error;
      })
      .finally(() => {
        this.#isReached = true;
      });
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  /** Throws the error that ended the look. */
  async look(): Promise<SourceLook | undefined> {
    await this.reached;
    if (this.#error !== undefined) throw this.#error;
    return this.#look;
  }
}
