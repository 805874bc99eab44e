import { boundaryOf } from '../codecs/aicf/boundary.ts';
import type { AicfEvent } from '../codecs/aicf/wire.ts';
import { findSection } from '../extract/find-section.ts';
import type { Page, Section } from '../model/page.ts';

/** What a follower holds of one page. */
export interface MirrorPage {
  readonly title: string;
  /** Fingerprint of what stands before the first heading. */
  readonly preamble: string;
  /** Per anchor, in the order of the page: the chunks that were made of the section. */
  readonly sections: ReadonlyMap<string, readonly string[]>;
}

/** Per page URL, without fragments. */
export type Mirror = Map<string, MirrorPage>;

/** How a section is cut up for an index; AICF leaves that to each client. */
export type Chunker = (markdown: string) => readonly string[];

/** What is needed of an event. */
export type MirrorEvent = Pick<AicfEvent, 'action' | 'url' | 'anchor' | 'checksum'>;

const whole: Chunker = (markdown) => [markdown];

/**
 * Makes the mirror what the event says (AICF §4(5)): a boundary is rebuilt as a whole or removed as a whole, nothing
 * outside it is touched. `page` is the page as it is now; without it a create or update changes nothing. Applying an
 * event again leaves the mirror as it is.
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

/** The other sections keep their chunks; all stand in the order of the page, and those it does not have stay behind. */
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
