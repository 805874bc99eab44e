import { attribute, type HtmlElement, type HtmlNode, levelOf } from './html-tree.ts';
import type { Measures } from './measure.ts';
import { placeAmong } from './place-among.ts';
import { slugOf } from './slug.ts';

/** Ids that only a program writes: React's `:r1:`, Ember's counters, UUIDs, hashes. */
const FRAMEWORK_ID =
  /:r[0-9a-z]*:|«r[0-9a-z]*»|^_r_[0-9a-z]+_?$|^(?:ember\d+$|yui_|ext-gen\d|elementor-toc|docs-internal-guid)|^(?:radix|headlessui|react-aria)-?(?:.*[^a-z0-9])?\d+$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-|(?:^|[-_])(?=.*\d)[0-9a-f]{20,}$/i;
/** Ids that a tool assigns anew with every build, or by position: docutils' `id3`, DocBook's `d0e12`, React's `:r1:`. */
const GENERATED_ID =
  /^(?::r[0-9a-z]*:|«r|_r_|id-?\d+(?:\.\d+)+|ember\d|yui_|ext-gen|elementor-toc|_toc\d|idm?p?\d+$|d\d+e\d+$|docs-internal-guid|[0-9a-f]{8}-[0-9a-f]{4}-|(?=.*\d)[0-9a-f]{12,}$)|[-_][0-9a-f]{20,}$/i;
/** A component's name with a counter, or a number that no author would use. */
const COUNTED_ID =
  /^(?:(?:radix|headlessui|react|mui|chakra)-(?:.*[^a-z0-9])?r?|[a-z]{0,10}[-_.]?(?=\d{5}))(\d+)[^a-z0-9]*$/i;

/**
 * The id through which a link reaches this heading: its own, that of an element in it or just before it, or that of the element that wraps exactly this
 * section. Undefined if none will survive a rebuild.
 */
export function headingId(
  heading: HtmlElement,
  headingText: string,
  root: HtmlElement,
  measures: Measures,
): string | undefined {
  const usable = (id: string | undefined) => (isStableId(id, headingText) ? id : undefined);
  return (
    ownId(heading, headingText) ??
    idInside(heading, usable) ??
    idJustBefore(heading, usable, measures) ??
    idOfWrapper(heading, headingText, root, measures)
  );
}

/** Authors write ids on headings, with numbers too. Only ids that nobody would write are ignored. */
function ownId(heading: HtmlElement, headingText: string): string | undefined {
  const id = attribute(heading, 'id');
  if (!isUsable(id)) return undefined;
  return FRAMEWORK_ID.test(id) && slugOf(id) !== slugOf(headingText) ? undefined : id;
}

function isUsable(id: string | undefined): id is string {
  return id !== undefined && id !== '' && !/\s/.test(id) && id.length <= 200;
}

/** Whether an id will survive a rebuild, judging by its form. */
export function isStableId(id: string | undefined, headingText: string): id is string {
  if (!isUsable(id) || FRAMEWORK_ID.test(id) || GENERATED_ID.test(id)) return false;
  const count = COUNTED_ID.exec(id)?.[1];
  // "react-19" is a counter, unless the heading itself says 19.
  return count === undefined || new RegExp(`(?:^|\\D)${count}(?:\\D|$)`).test(headingText);
}

type Choose = (id: string | undefined) => string | undefined;

function idInside(element: HtmlElement, usable: Choose): string | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const id = usable(attribute(child, 'id')) ?? (child.name === 'a' ? usable(attribute(child, 'name')) : undefined);
    const found = id ?? idInside(child, usable);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `<a name="x"></a><h2>…`: the target immediately before. */
function idJustBefore(heading: HtmlElement, usable: Choose, measures: Measures): string | undefined {
  const siblings = heading.parent?.children ?? [];
  let before: HtmlNode | undefined;
  for (let at = placeAmong(siblings, heading) - 1; at >= 0; at -= 1) {
    before = siblings[at];
    if (typeof before !== 'string' || before.trim() !== '') break;
  }
  if (before === undefined || typeof before === 'string' || measures.get(before)?.isEmpty() !== true) return undefined;
  if (before.name !== 'a' && before.name !== 'span' && before.name !== 'div') return undefined;
  return usable(attribute(before, 'id')) ?? usable(attribute(before, 'name'));
}

function idOfWrapper(
  heading: HtmlElement,
  headingText: string,
  root: HtmlElement,
  measures: Measures,
): string | undefined {
  const level = levelOf(heading);
  for (let wrapper = heading.parent; wrapper !== undefined && wrapper !== root; wrapper = wrapper.parent) {
    if (wrapper.name === 'body' || wrapper.name === 'main' || wrapper.name === 'article') return undefined;
    const measure = measures.get(wrapper);
    if (measure?.firstHeading !== heading || measure.topLevel !== level || measure.headingsAtTop !== 1)
      return undefined;
    const id = attribute(wrapper, 'id');
    if (!isStableId(id, headingText)) continue;
    // A plain wrapper belongs to the theme and may get more headings, unless it is named after this one.
    if (wrapper.name === 'section' || isNamedAfter(id, headingText, level)) return id;
  }
  return undefined;
}

/** The id equals the heading's slug. Below an h1, one common word is enough. */
function isNamedAfter(id: string, headingText: string, level: number): boolean {
  const [ofId, ofHeading] = [slugOf(id), slugOf(headingText)];
  if (ofId === ofHeading) return true;
  if (level === 1) return false;
  const words = new Set(ofHeading.split('-'));
  return ofId.split('-').some((word) => word.length > 2 && !/^\d+$/.test(word) && words.has(word));
}
