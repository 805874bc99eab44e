import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { encodedUri } from '../codecs/primitives/encoded-uri.ts';
import { formatTime } from '../codecs/primitives/time.ts';
import { withoutFragment } from '../codecs/primitives/without-fragment.ts';
import { scoreTextRisk } from '../extract/risk/score-risk.ts';
import { sourceAddress } from '../hub/config/source-address.ts';
import type { SourceConfig } from '../hub/config/source-config.ts';
import type { PageState, WatchedSource } from '../hub/store/hub-store.ts';
import { sectionLines, sectionSpans } from '../hub/why/section-lines.ts';
import { openHubPageList } from '../io/sqlite/hub-page-list.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import { decodePageRecord } from '../log/pages-file.ts';
import type { ListedPage, McpPorts, ToldPage, ToldSection } from '../mcp/mcp-ports.ts';
import type { PageOutline } from '../model/page.ts';

/** The newest changes say how risky a page was when it was read: its HTML may have contained more than its text shows. */
const RECENT_CHANGES = 1000;

/** The pages whose text a hub has. */
export function hubPages(store: WholeHubStore): Pick<McpPorts, 'heldPage' | 'listPages'> {
  const list = store.openTables(openHubPageList);
  return {
    heldPage: (url) => heldPage(url, store),
    async listPages({ after = '\n', limit }) {
      const sources = await store.sources();
      const pages: ListedPage[] = [];
      let [source = '', url = ''] = after.split('\n');
      for (;;) {
        const found = list.behind({ source, url }, limit);
        for (const held of found) {
          [source, url] = [held.source, held.url];
          if (await isListedBefore(held, sources, store)) continue;
          pages.push({ source, url, place: `${source}\n${url}` });
          if (pages.length === limit) return pages;
        }
        if (found.length < limit) return pages;
      }
    },
  };
}

/** A page of two sources is listed once. */
async function isListedBefore(
  { source, url }: { readonly source: string; readonly url: string },
  sources: readonly WatchedSource[],
  store: WholeHubStore,
): Promise<boolean> {
  for (const { config } of sourcesAt(url, sources)) {
    if (config.id < source && (await store.pageOf(config.id, url))?.snapshot !== undefined) return true;
  }
  return false;
}

/** Sources report pages of their own hosts. */
function sourcesAt(url: string, sources: readonly WatchedSource[]): readonly WatchedSource[] {
  const { host } = new URL(url);
  return sources.filter(({ config }) => hostsOf(config).has(host));
}

const hosts = new WeakMap<SourceConfig, ReadonlySet<string>>();

/** Addresses are parsed once per config, not once per call. */
function hostsOf(config: SourceConfig): ReadonlySet<string> {
  const known = hosts.get(config);
  if (known !== undefined) return known;
  const addresses = config.kind === 'page' ? config.urls : [sourceAddress({ config })];
  const found = new Set(addresses.map((address) => new URL(address).host));
  hosts.set(config, found);
  return found;
}

async function heldPage(asked: string, store: WholeHubStore): Promise<ToldPage | undefined> {
  if (!canParseUrl(asked)) return undefined;
  const url = encodedUri(withoutFragment(new URL(asked).href));
  for (const { config } of sourcesAt(url, await store.sources())) {
    const state = await store.pageOf(config.id, url);
    const markdown = state?.snapshot === undefined ? undefined : await store.snapshot(state.snapshot);
    if (state !== undefined && markdown !== undefined) return await readPage(state, markdown, config.id, store);
  }
  return undefined;
}

async function readPage(
  { record }: PageState,
  markdown: string,
  source: string,
  store: WholeHubStore,
): Promise<ToldPage> {
  const outline = decodePageRecord(record);
  const { score, reasons } = scoreTextRisk({ title: outline.title, text: markdown });
  const known = (await store.recentChanges(RECENT_CHANGES)).find((change) => change.url === record.url);
  const updated = known?.time ?? (record.modifiedMs === undefined ? undefined : formatTime(record.modifiedMs));
  return {
    url: record.url,
    title: outline.title,
    source,
    checksum: outline.checksum,
    ...(updated !== undefined && { updated }),
    from: 'snapshot',
    risk: Math.max(score, known?.risk ?? 0),
    riskReasons: [...new Set([...reasons, ...(known?.riskReasons ?? [])])].sort(),
    markdown,
    sections: snapshotSections(markdown, outline),
  };
}

/** The sections of a page's text, with the names and fingerprints that the log uses for them. */
export function snapshotSections(markdown: string, { preamble, sections }: PageOutline): readonly ToldSection[] {
  const lines = markdown.split('\n');
  const spans = sectionSpans(lines);
  const isAligned = spans.length === sections.length;
  const anchors = sections.map(({ anchor }) => anchor);
  const text = (start: number, end: number) => lines.slice(start, end).join('\n').trim();
  const before = text(0, spans[0]?.start ?? lines.length);
  const named = sections.flatMap(({ anchor, checksum }, index): ToldSection[] => {
    const span = isAligned ? spans[index] : sectionLines(lines, anchor, anchors);
    if (span === undefined) return [];
    const heading = spans.find(({ start }) => start === span.start)?.heading ?? '';
    return [{ anchor, heading, checksum, markdown: text(span.start, span.end) }];
  });
  return before === '' ? named : [{ anchor: '', heading: '', checksum: preamble, markdown: before }, ...named];
}
