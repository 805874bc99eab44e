import type { LivePages } from '../../crawl/live-page.ts';
import { PageGoneError } from '../../errors/crawl-error.ts';
import { FetchError } from '../../errors/fetch-error.ts';
import { extractPage } from '../../extract/extract-page.ts';
import { keepAnchors } from '../../extract/keep-anchors.ts';
import { isOnlyNotice, isStillItself, noticeOf } from '../../extract/notice-page.ts';
import { steadyAnchors } from '../../extract/steady-anchors.ts';
import { encodePageRecord } from '../../log/pages-file.ts';
import type { PageOutline } from '../../model/page.ts';
import { outlineOf, type SampledPage } from './sample.ts';

/** The result of one look at a page. Nothing follows from an unread page. */
export type HonestyLook =
  | { readonly is: 'page'; readonly page: PageOutline; readonly sampled: SampledPage; readonly foundAt: string }
  | { readonly is: 'gone'; readonly atMs: number }
  | { readonly is: 'unread'; readonly reason: string };

export interface LookPorts {
  readonly pages: LivePages;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const MAX_WAIT_MS = 30_000;
const HTML = ['text/html', 'application/xhtml+xml'];

/** Reads the current page, with its sections named as `before`. */
export async function lookAtPage(url: string, before: SampledPage | undefined, ports: LookPorts): Promise<HonestyLook> {
  const { pages, now, signal } = ports;
  try {
    const answer = await pages.read({ url: new URL(url), signal, maxWaitMs: MAX_WAIT_MS });
    if (answer.kind !== 'page' || !HTML.includes(answer.mediaType)) return unread('it is no HTML page');
    const known = before === undefined ? undefined : outlineOf(before);
    const read = extractPage(answer.text, url);
    if (read.markdown.trim() === '') return unread('there is no text in it');
    const page = known === undefined ? read : keepAnchors(steadyAnchors(read, known), known);
    const notice = noticeOf(page, answer.text);
    const isItself = known === undefined ? !isOnlyNotice(notice, page, answer.text) : isStill(notice, known, page);
    if (notice !== undefined && !isItself) return unread(`a notice stands in its place (${notice})`);
    const { line } = encodePageRecord({ file: answer.bytesHash }, page);
    const sampled = { url, atMs: answer.fetchedAtMs, record: new TextDecoder().decode(line) };
    return { is: 'page', page, sampled, foundAt: answer.url.href };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PageGoneError && !error.isForNow) return { is: 'gone', atMs: now() };
    if (error instanceof FetchError) return unread(error.message);
    throw error;
  }
}

function isStill(
  notice: Parameters<typeof isStillItself>[0] | undefined,
  known: PageOutline,
  page: PageOutline,
): boolean {
  return notice === undefined || isStillItself(notice, known, page);
}

function unread(reason: string): HonestyLook {
  return { is: 'unread', reason };
}
