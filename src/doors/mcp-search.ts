import { ToolRefusal } from '../errors/tool-refusal.ts';
import { type HeldText, type HubPageList, openHubPageList } from '../io/sqlite/hub-page-list.ts';
import type { SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { SnapshotIndex } from '../io/sqlite/snapshot-index.ts';
import { othersFirst } from '../log/others-first.ts';
import { decodePageRecord } from '../log/pages-file.ts';
import type { McpPorts } from '../mcp/mcp-ports.ts';
import { snapshotSections } from './mcp-hub-pages.ts';

/** More pages, or more text, are not looked through: the answer says so, and `tidings sync` makes an index of all. */
const MOST_PAGES = 20_000;
const MOST_CHARACTERS = 64 * 1024 * 1024;
const PAGES_AT_ONCE = 500;
const INDEXED_AT_ONCE = 10;
const NO_TEXTS =
  'There are no texts to search in: the sources are feeds, which tell of pages and do not hold them, or nothing was read yet. An index that "tidings sync" keeps can be searched: start this server with --index.';

export interface SnapshotSearch extends AsyncDisposable {
  readonly search: McpPorts['search'];
}

/** Full text over a hub's own texts of pages: an index in memory, made when it is first asked for and kept up with the log. */
export function searchSnapshots(store: SqliteHubStore): SnapshotSearch {
  let index: SnapshotIndex | undefined;
  let state: { readonly newest: string; readonly pages: number; readonly isPartial: boolean } | undefined;
  let updating: Promise<void> | undefined;
  const list = store.openTables(openHubPageList);

  async function update(): Promise<void> {
    const newest = `${(await store.lastChange())?.id} ${(await store.sources()).length}`;
    if (state?.newest === newest) return;
    index ??= await SnapshotIndex.open();
    const pages = await heldTexts(list);
    index.keepOnly(pages);
    const isWhole = await fill(index, pages, store);
    state = { newest, pages: pages.length, isPartial: !isWhole || pages.length >= MOST_PAGES };
  }

  return {
    async search(query, signal) {
      // Who gave up waiting leaves the work to whoever asks next.
      updating ??= update().finally(() => {
        updating = undefined;
      });
      await updating;
      signal.throwIfAborted();
      if (index === undefined || state === undefined || state.pages === 0) throw new ToolRefusal(NO_TEXTS);
      return { hits: index.search(query), over: 'snapshots', isPartial: state.isPartial };
    },
    async [Symbol.asyncDispose]() {
      await updating?.catch(() => undefined);
      index?.close();
    },
  };
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

/** False where not all of them fit. Others have their turn behind some pages. */
async function fill(index: SnapshotIndex, pages: readonly HeldText[], store: SqliteHubStore): Promise<boolean> {
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
