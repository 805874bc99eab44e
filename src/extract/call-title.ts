import { type CallKind, isTitleName, kindOfTitle, type NamedBox, namedBox } from './call-kinds.ts';
import { collapseSpace } from './collapse-space.ts';
import { attribute, elementText, type HtmlElement, type HtmlNode } from './html-tree.ts';
import type { SectionReader } from './section-reader.ts';

/** A title followed by a whole page is not a note. */
const MAX_CALL_TEXT = 5000;
/** The maximum length of a one-word title, and of any title. */
const MAX_WORD = 20;
const MAX_TITLE = 150;
const TITLES = new Set(['p', 'div', 'header', 'summary']);

/** A note, tip or warning. */
export interface Call {
  readonly kind: CallKind;
  /** The element of its title. Absent if it has none, or only a label. */
  readonly title: HtmlElement | undefined;
  /** A label for assistive technology only. A visible title says the same. */
  readonly label: string;
}

/** The note, tip or warning that an element forms, recognised by its first words or else by its class. */
export function callOf(reader: SectionReader, element: HtmlElement): Call | undefined {
  const whole = reader.measures.get(element);
  if (whole === undefined || whole.text > MAX_CALL_TEXT || whole.firstHeading !== undefined) return undefined;
  const box = element.name === 'details' ? foldedBox(element) : namedBox(attribute(element, 'class'));
  const first = element.children.find((child) => typeof child !== 'string' || child.trim() !== '');
  if (isElement(first) && TITLES.has(first.name) && reader.measures.get(first)?.text !== whole.text) {
    const said = kindIn(reader, first);
    if (said !== undefined) return { kind: box?.kind ?? said, title: first, label: '' };
    if (box !== undefined && isTitle(reader, first)) return { kind: box.kind ?? 'NOTE', title: first, label: '' };
  }
  const label = labelOfAside(element);
  const labelled = kindOfTitle(label) ?? (label === '' ? undefined : box?.kind);
  if (labelled !== undefined) return { kind: box?.kind ?? labelled, title: undefined, label };
  return box?.isPlain === true && box.kind !== undefined && whole.text > 0
    ? { kind: box.kind, title: undefined, label: '' }
    : undefined;
}

/** The kind of a note, if an element contains nothing but the word for it. */
export function kindIn(reader: SectionReader, element: HtmlElement): CallKind | undefined {
  const ink = reader.measures.get(element)?.text ?? 0;
  if (ink === 0 || ink > MAX_WORD) return undefined;
  return kindOfTitle(titleWords(element));
}

export function titleWords(element: HtmlElement): string {
  return collapseSpace(elementText(element)).trim();
}

/** The label of an aside, which some themes do not show. */
export function labelOfAside(element: HtmlElement): string {
  const label = element.name === 'aside' ? (attribute(element, 'aria-label')?.trim() ?? '') : '';
  return label.length > MAX_TITLE ? '' : label;
}

/** Themes give any folded text the colours of a note. Only a class that is the kind itself makes it one. */
function foldedBox(details: HtmlElement): NamedBox | undefined {
  const names = attribute(details, 'class')?.trim() ?? '';
  if (!/^(?:admonition )?[a-z]+$/.test(names)) return undefined;
  const box = namedBox(`admonition ${names}`);
  return box?.kind === undefined ? undefined : box;
}

function isTitle(reader: SectionReader, element: HtmlElement): boolean {
  const ink = reader.measures.get(element)?.text ?? 0;
  if (ink === 0 || ink > MAX_TITLE) return false;
  return element.name === 'summary' || isTitleName(attribute(element, 'class'));
}

function isElement(node: HtmlNode | undefined): node is HtmlElement {
  return node !== undefined && typeof node !== 'string';
}
