import type { Use } from '../codecs/usage-terms/usage.ts';
import type { UsageTerms } from '../crawl/usage-terms.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { Page } from '../model/page.ts';
import { inLanes } from './in-lanes.ts';
import type { LookAtPage, PageLook } from './page-look.ts';
import { type PageEdit, type ReconcilePorts, reconcilePage } from './reconcile-page.ts';
import { removePages } from './remove-pages.ts';
import type { SyncMarks } from './sync-marks.ts';
import type { LeftPage } from './sync-report.ts';
import type { PageMark } from './sync-state.ts';

export interface SettlePorts extends ReconcilePorts {
  readonly marks: SyncMarks;
  readonly lookAtPage: LookAtPage;
  /** The purpose of the index; undefined if terms are ignored. */
  readonly use: Use | undefined;
  /** Looks that are closer together than this count as one. */
  readonly confirmMs: number;
  readonly now: () => number;
  /** Called with the number of pages still to read. */
  readonly onProgress?: ((left: number) => void) | undefined;
}

/** What was done since it was created; it grows. */
export class Tally {
  upserts = 0;
  deletes = 0;
  tokens = 0;
  embeddings = 0;
  put = 0;
  removed = 0;
  readonly unread = new Map<string, LeftPage>();

  add({ upserts, deletes, tokens, embeddings, isPut }: PageEdit): void {
    this.upserts += upserts;
    this.deletes += deletes;
    this.tokens += tokens;
    this.embeddings += embeddings;
    this.put += Number(isPut);
  }

  readonly onRemoved = ({ sections = 0 }: PageMark): void => {
    this.removed += 1;
    this.deletes += sections;
  };
}

/** Hosts that are read in parallel. */
const MAX_HOSTS = 8;

/**
 * Reads every page that must be read, once, and updates the index. A page that cannot be read stays in the index as it is, and stays dirty. Throws if
 * the sink or the embedding server is down: what was not done stays to be done.
 */
export async function readDirtyPages(
  ports: SettlePorts,
  tally: Tally,
  isEnded: (source: string) => boolean,
): Promise<void> {
  const { marks, signal, onProgress } = ports;
  const dirty = marks.all('dirty').filter(({ url, source }) => !tally.unread.has(url) && !isEnded(source));
  let left = dirty.length;
  await inLanes(dirty, ({ url }) => new URL(url).host, {
    most: MAX_HOSTS,
    work: async (mark) => {
      signal.throwIfAborted();
      onProgress?.(left);
      await takeLook(mark, await ports.lookAtPage(mark.url, signal), { ports, tally });
      left -= 1;
    },
  });
  onProgress?.(0);
}

interface Taking {
  readonly ports: SettlePorts;
  readonly tally: Tally;
}

async function takeLook(mark: PageMark, look: PageLook, taking: Taking): Promise<void> {
  const { ports, tally } = taking;
  if (look.is === 'page') return await takePage(mark, look, taking);
  const { reason } = look;
  const nowMs = ports.now();
  const goneSinceMs = look.is === 'gone' ? (mark.goneSinceMs ?? nowMs) : undefined;
  if (goneSinceMs !== undefined && mark.goneSinceMs !== undefined && nowMs - goneSinceMs >= ports.confirmMs) {
    await ports.marks.write({ put: [{ ...mark, is: 'leaving', reason }] });
    return;
  }
  await leave({ ...mark, goneSinceMs }, reason, { ports, tally });
}

async function takePage(
  { goneSinceMs: _, reason: __, ...mark }: PageMark,
  { page, terms }: { readonly page: Page; readonly terms?: UsageTerms | undefined },
  { ports, tally }: Taking,
): Promise<void> {
  const { marks, sink, use } = ports;
  try {
    const refusal = use === undefined ? undefined : refusalOf(terms, use);
    if (refusal !== undefined) {
      // A refusal by terms takes effect at once: the breaker is for what looks like an accident.
      if (mark.checksum !== undefined) await removePages([mark], { sink, marks, onRemoved: tally.onRemoved });
      const { checksum: ___, sections: ____, ...rest } = mark;
      await marks.write({ put: [{ ...rest, is: 'refused', reason: refusal }] });
      return;
    }
    const edit = await reconcilePage(page, mark, ports);
    tally.add(edit);
    const sections = edit.upserts + edit.unchanged;
    await marks.write({ put: [{ ...mark, is: 'held', checksum: edit.checksum, sections }] });
  } catch (error) {
    // Only this page is refused; others may be accepted.
    if (!(error instanceof TidingsError) || error.recovery !== 'fix-input') throw error;
    await leave(mark, error.message, { ports, tally });
  }
}

async function leave(mark: PageMark, reason: string, { ports, tally }: Taking): Promise<void> {
  tally.unread.set(mark.url, { url: mark.url, reason });
  await ports.marks.write({ put: [{ ...mark, is: 'dirty', reason }] });
}

function refusalOf(terms: UsageTerms | undefined, use: Use): string | undefined {
  if (terms?.uses[use] !== 'no') return undefined;
  const signal = terms.signals.find(({ wishes }) => wishes[use] === 'no');
  const who = signal === undefined ? 'its terms' : `${signal.vocabulary} (${signal.where}): ${signal.said}`;
  return `no to ${use}, by ${who}`;
}
