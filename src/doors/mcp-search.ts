import { ToolRefusal } from '../errors/tool-refusal.ts';
import { type HeldText, type HubPageList, openHubPageList } from '../io/sqlite/hub-page-list.ts';
import { SnapshotIndex } from '../io/sqlite/snapshot-index.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import { othersFirst } from '../log/others-first.ts';
import { decodePageRecord } from '../log/pages-file.ts';
import type { McpPorts } from '../mcp/mcp-ports.ts';
import { snapshotSections } from './mcp-hub-pages.ts';

/** Pages and text beyond these limits are not searched: the answer says so, and `tidings sync` can index everything. */
const MOST_PAGES = 20_000;
const MOST_CHARACTERS = 64 * 1024 * 1024;
const PAGES_AT_ONCE = 500;
const INDEXED_AT_ONCE = 10;
/** After this many changes, or this long, all pages are read again. */
const MOST_CHANGES = 500;
const ALL_EVERY_MS = 10 * 60_000;
const NO_TEXTS =
  'There are no texts to search in: the sources are feeds, which tell of pages and do not hold them, or nothing was read yet. An index that "tidings sync" keeps can be searched: start this server with --index.';

export interface SnapshotSearch extends AsyncDisposable {
  readonly search: McpPorts['search'];
  /** Resolves when the texts are current. */
  prepare(): Promise<void>;
}

/** The state of the index. */
interface IndexState {
  /** The seq of the newest change. */
  readonly seq: number;
  readonly sources: number;
  readonly isPartial: boolean;
  /** When all pages were last read. */
  readonly allAtMs: number;
}

/** Full-text search over a hub's own page texts: an index in memory, built on first use and updated with the log. */
export function searchSnapshots(store: WholeHubStore, now: () => number = Date.now): SnapshotSearch {
  let index: SnapshotIndex | undefined;
  let state: IndexState | undefined;
  let updating: Promise<void> | undefined;
  const list = store.openTables(openHubPageList);

  async function update(): Promise<void> {
    const seq = (await store.lastChange())?.seq ?? 0;
    const sources = list.sources();
    if (state?.seq === seq && state.sources === sources) return;
    index ??= await SnapshotIndex.open();
    if (state !== undefined && isNear(state, { seq, sources, nowMs: now() })) {
      await takeChanged(index, store, state.seq);
      state = { ...state, seq };
      return;
    }
    const pages = await heldTexts(list);
    index.keepOnly(pages);
    const isWhole = await fill(index, pages, store);
    state = { seq, sources, isPartial: !isWhole || pages.length >= MOST_PAGES, allAtMs: now() };
  }

  // If a caller stops waiting, the work continues for the next caller.
  const prepare = () => {
    updating ??= update().finally(() => {
      updating = undefined;
    });
    return updating;
  };

  return {
    prepare,
    async search(query, signal) {
      await prepare();
      signal.throwIfAborted();
      if (index === undefined || state === undefined || index.pages === 0) throw new ToolRefusal(NO_TEXTS);
      return { hits: index.search(query), over: 'snapshots', isPartial: state.isPartial };
    },
    async [Symbol.asyncDispose]() {
      await updating?.catch(() => undefined);
      index?.close();
    },
  };
}

/** Whether the changes since then are enough to know which pages differ. Texts that were reread without a change are found when all pages are read. */
function isNear(
  { seq: from, sources: known, isPartial, allAtMs }: IndexState,
  { seq, sources, nowMs }: { readonly seq: number; readonly sources: number; readonly nowMs: number },
): boolean {
  const isSoon = nowMs - allAtMs < ALL_EVERY_MS && nowMs >= allAtMs;
  return isSoon && !isPartial && sources === known && seq >= from && seq - from <= MOST_CHANGES;
}

async function takeChanged(index: SnapshotIndex, store: WholeHubStore, after: number): Promise<void> {
  const changed = new Map<string, Pick<HeldText, 'source' | 'url'>>();
  for await (const { source, url } of store.changes({ after })) changed.set(`${source} ${url}`, { source, url });
  const held: HeldText[] = [];
  for (const { source, url } of changed.values()) {
    const { snapshot } = (await store.pageOf(source, url)) ?? {};
    if (snapshot === undefined) index.remove(source, url);
    else held.push({ source, url, snapshot });
  }
  await fill(index, held, store);
}

async function heldTexts(list: HubPageList): Promise<readonly HeldText[]> {
  const pages: HeldText[] = [];
  let place = { source: '', url: '' };
  for (;;) {
    const found = list.behind(place, PAGES_AT_ONCE);
    pages.push(...found);
    place = found.at(-1) ?? place;
    if (found.length < PAGES_AT_ONCE || pages.length >= MOST_PAGES) return pages.slice(0, MOST_PAGES);
    await othersFirst();
  }
}

/** False if not all pages fit. Yields to other work after some pages. */
async function fill(index: SnapshotIndex, pages: readonly HeldText[], store: WholeHubStore): Promise<boolean> {
  for (const [at, page] of pages.entries()) {
    if (at % INDEXED_AT_ONCE === 0) await othersFirst();
    if (index.has(page)) continue;
    if (index.characters > MOST_CHARACTERS) return false;
    const { source, url, snapshot } = page;
    const [state, markdown] = await Promise.all([store.pageOf(source, url), store.snapshot(snapshot)]);
    if (state === undefined || markdown === undefined) continue;
    const outline = decodePageRecord(state.record);
    const sections = snapshotSections(markdown, outline);
    index.put(
      page,
      outline.title,
      sections.map(({ anchor, heading, markdown: text }) => ({ anchor, heading, text })),
    );
  }
  return true;
}
