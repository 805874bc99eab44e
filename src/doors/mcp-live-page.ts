import { formatTime } from '../codecs/primitives/time.ts';
import type { LivePage } from '../crawl/live-page.ts';
import { EmptyPageError } from '../errors/crawl-error.ts';
import { readTextPage } from '../extract/document/read-text-page.ts';
import { extractPage } from '../extract/extract-page.ts';
import { fingerprintOf } from '../extract/fingerprint.ts';
import { preambleMarkdown } from '../extract/preamble-markdown.ts';
import { scorePage } from '../extract/risk/score-page.ts';
import { type Risk, scoreTextRisk } from '../extract/risk/score-risk.ts';
import { slugOf } from '../extract/slug.ts';
import type { Asker } from '../fetch/asker.ts';
import { sectionSpans } from '../hub/why/section-lines.ts';
import type { McpPorts, ToldPage, ToldSection } from '../mcp/mcp-ports.ts';
import type { Page } from '../model/page.ts';
import { givingWay } from './giving-way.ts';
import type { PoliteWays } from './open-http.ts';
import { publicPageUrl } from './public-page-url.ts';
import { readInTime } from './read-in-time.ts';

const TIMEOUT_MS = 20_000;
/** The maximum wait for a turn at the host. */
const MAX_WAIT_MS = 15_000;
/** A caller that reads a page usually reads its parts next; the site is not asked again for each. */
const KEPT_MS = 120_000;
const MOST_KEPT = 20;
const ADVICE = 'Scripts may make it.';

/** The asker for callers of tools. It owns no host: a pause that a host asks for here does not affect any source. */
export const CALLERS: Asker = { name: 'mcp', isOwn: () => false };

/** Pages of the web, through the polite client. A page that was just read comes from memory. */
export function livePages(ways: Pick<PoliteWays, 'of'>): McpPorts['livePage'] {
  const { pages } = ways.of(CALLERS);
  const kept = new Map<string, { readonly page: ToldPage; readonly untilMs: number }>();
  const ask = (url: URL, signal: AbortSignal) =>
    readInTime(pages, { url, signal, maxWaitMs: MAX_WAIT_MS, yields: true }, TIMEOUT_MS);
  return async (asked, signal) => {
    const url = publicPageUrl(asked);
    const known = kept.get(url.href);
    if (known !== undefined && Date.now() < known.untilMs) return known.page;
    const answer = await givingWay(() => ask(url, signal));
    if (answer.kind !== 'page') throw new Error('Nothing was asked for on a condition.');
    const page = readPageOf(answer);
    kept.delete(url.href);
    for (const oldest of [...kept.keys()].slice(0, kept.size - MOST_KEPT + 1)) kept.delete(oldest);
    kept.set(url.href, { page, untilMs: Date.now() + KEPT_MS });
    return page;
  };
}

function readPageOf(answer: LivePage): ToldPage {
  const { url, mediaType, text } = answer;
  if (mediaType === 'text/plain' || mediaType === 'text/markdown') return ofText(answer, mediaType);
  const page = extractPage(text, url.href);
  return readPage(answer, page, preambleAnd(page), scorePage({ title: page.title, html: text }));
}

/** Plain text has no section names, so they are derived from its headings. */
function ofText(answer: LivePage, mediaType: 'text/plain' | 'text/markdown'): ToldPage {
  const { identity, content } = readTextPage(answer.text, answer.url.href, mediaType);
  const { markdown } = content;
  const lines = markdown.split('\n');
  const spans = [{ start: 0, end: sectionSpans(lines)[0]?.start ?? lines.length, heading: '' }, ...sectionSpans(lines)];
  const names = new Set<string>();
  const sections = spans.flatMap(({ start, end, heading }, index): ToldSection[] => {
    const part = lines.slice(start, end).join('\n').trim();
    const anchor = index === 0 ? '' : uniqueName(slugOf(heading) || 'section', names);
    return part === '' ? [] : [{ anchor, heading, markdown: part, checksum: fingerprintOf(part) }];
  });
  const page = { title: identity.title ?? '', markdown, checksum: fingerprintOf(markdown) };
  return readPage(answer, page, sections, scoreTextRisk({ title: page.title, text: markdown }));
}

function uniqueName(slug: string, taken: Set<string>): string {
  let name = slug;
  for (let count = 2; taken.has(name); count++) name = `${slug}-${count}`;
  taken.add(name);
  return name;
}

function readPage(
  { url, fetchedAtMs }: LivePage,
  { title, markdown, checksum }: Pick<Page, 'title' | 'markdown' | 'checksum'>,
  sections: readonly ToldSection[],
  { score, reasons }: Risk,
): ToldPage {
  if (markdown.trim() === '') throw new EmptyPageError(url, ADVICE);
  return {
    url: url.href,
    title,
    checksum,
    updated: formatTime(fetchedAtMs),
    from: 'web',
    risk: score,
    riskReasons: reasons,
    markdown,
    sections,
  };
}

function preambleAnd(page: Page): readonly ToldSection[] {
  const before = preambleMarkdown(page).trim();
  const named = page.sections.map(({ anchor, heading, checksum, markdown }) => ({
    anchor,
    heading,
    checksum,
    markdown,
  }));
  return before === '' ? named : [{ anchor: '', heading: '', checksum: page.preamble, markdown: before }, ...named];
}
