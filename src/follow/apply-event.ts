import { boundaryOf } from '../codecs/aicf/boundary.ts';
import type { AicfEvent } from '../codecs/aicf/wire.ts';
import { findSection } from '../extract/find-section.ts';
import type { Page, Section } from '../model/page.ts';

/** What a follower stores of one page. */
export interface MirrorPage {
  readonly title: string;
  /** Fingerprint of the text before the first heading. */
  readonly preamble: string;
  /** By anchor, in page order: the chunks made from the section. */
  readonly sections: ReadonlyMap<string, readonly string[]>;
}

/** By page URL, without fragments. */
export type Mirror = Map<string, MirrorPage>;

/** How a section is split for an index; AICF leaves that to each client. */
export type Chunker = (markdown: string) => readonly string[];

/** The needed fields of an event. */
export type MirrorEvent = Pick<AicfEvent, 'action' | 'url' | 'anchor' | 'checksum'>;

const whole: Chunker = (markdown) => [markdown];

/**
 * Applies an event to the mirror (AICF §4(5)): a boundary is rebuilt or removed as a whole, and nothing outside it is touched. `page` is the current
 * page; without it a create or update changes nothing. Applying an event twice has no further effect.
 *
 * @example
 * const mirror: Mirror = new Map();
 * applyEvent(mirror, { action: 'create', url: 'https://docs.example/' }, extractPage(html, 'https://docs.example/'));
 */
export function applyEvent(mirror: Mirror, event: MirrorEvent, page?: Page, chunk: Chunker = whole): void {
  const url = boundaryOf({ url: event.url });
  const known = mirror.get(url);
  if (event.action === 'delete') {
    if (event.anchor === undefined) mirror.delete(url);
    else if (known !== undefined) mirror.set(url, { ...known, sections: without(known.sections, event.anchor) });
    return;
  }
  if (page === undefined) return;

  const section = event.anchor === undefined ? undefined : findSection(page, event.anchor, event.checksum);
  const { title, preamble } = page;
  // A section that is no longer on the page makes the whole page the boundary.
  if (section === undefined) mirror.set(url, mirrored(page, chunk));
  else mirror.set(url, { title, preamble, ...known, sections: replaced(known?.sections, section, page, chunk) });
}

export function mirrored(page: Page, chunk: Chunker = whole): MirrorPage {
  const sections = new Map(page.sections.map(({ anchor, markdown }) => [anchor, chunk(markdown)]));
  return { title: page.title, preamble: page.preamble, sections };
}

function without(sections: MirrorPage['sections'], anchor: string): MirrorPage['sections'] {
  return new Map([...sections].filter(([name]) => name !== anchor));
}

/** The other sections keep their chunks. All follow the order of the page; sections that it does not have come last. */
function replaced(
  sections: MirrorPage['sections'] | undefined,
  section: Section,
  page: Page,
  chunk: Chunker,
): MirrorPage['sections'] {
  const updated = new Map(sections ?? []).set(section.anchor, chunk(section.markdown));
  const order = new Map(page.sections.map(({ anchor }, index) => [anchor, index]));
  const placeOf = (anchor: string) => order.get(anchor) ?? order.size;
  return new Map([...updated].toSorted(([one], [other]) => placeOf(one) - placeOf(other)));
}
