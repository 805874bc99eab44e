import { extractPage } from '../extract/extract-page.ts';
import { applyEvent, type Chunker, type Mirror, type MirrorEvent } from '../follow/apply-event.ts';

export type { Chunker, Mirror, MirrorEvent, MirrorPage } from '../follow/apply-event.ts';

/** A fetched page, and how its sections are split into chunks. Default: a section is one chunk. */
export interface FetchedPage {
  readonly html: string;
  readonly chunk?: Chunker;
}

/**
 * Applies an event to a copy of pages: the section or page that it names is rebuilt or removed as a whole, and nothing else is touched. A deleted page need not
 * be fetched; any other event without a page changes nothing. An event may be applied twice.
 *
 * @example
 * const mirror: Mirror = new Map();
 * const html = '<h1 id="tiers">Tiers</h1><p>There are two.</p>';
 * applyToMirror(mirror, { action: 'create', url: 'https://docs.example/pricing' }, { html });
 * console.log(mirror.get('https://docs.example/pricing')?.sections.get('tiers'));
 */
export function applyToMirror(mirror: Mirror, event: MirrorEvent, page?: FetchedPage): void {
  applyEvent(mirror, event, page === undefined ? undefined : extractPage(page.html, event.url), page?.chunk);
}
