import { type HtmlElement, levelOf } from './html-tree.ts';

/** Statistics of an element, counted once, after everything but content was removed. */
export class Measure {
  /** Characters of text, without white space. */
  text = 0;
  /** The characters inside links. */
  linkText = 0;
  links = 0;
  /** Links to a place on the same page. */
  localLinks = 0;
  /** Buttons, fields and the like that were here. */
  controls = 0;
  /** The controls that accept text. */
  fields = 0;
  /** Elements that form a separate paragraph. */
  blocks = 0;
  images = 0;
  tables = 0;
  /** Characters of text that state when the page was published. */
  publicationText = 0;
  /** Text of headings outside links. */
  headingText = 0;
  firstHeading: HtmlElement | undefined;
  /** The highest rank among the headings here (1 for h1), and how many have it. */
  topLevel = 7;
  headingsAtTop = 0;
  hasH1 = false;

  add(child: Measure): void {
    this.text += child.text;
    this.linkText += child.linkText;
    this.links += child.links;
    this.localLinks += child.localLinks;
    this.controls += child.controls;
    this.fields += child.fields;
    this.blocks += child.blocks;
    this.images += child.images;
    this.tables += child.tables;
    this.publicationText += child.publicationText;
    this.headingText += child.headingText;
    this.hasH1 ||= child.hasH1;
    if (child.firstHeading === undefined) return;
    this.firstHeading ??= child.firstHeading;
    if (child.topLevel < this.topLevel) {
      this.topLevel = child.topLevel;
      this.headingsAtTop = child.headingsAtTop;
    } else if (child.topLevel === this.topLevel) {
      this.headingsAtTop += child.headingsAtTop;
    }
  }

  addHeading(heading: HtmlElement): void {
    this.headingText = this.text - this.linkText;
    this.firstHeading = heading;
    this.topLevel = levelOf(heading);
    this.headingsAtTop = 1;
    this.hasH1 = this.topLevel === 1;
  }

  /** The share of link text. 1 if there is a link and nothing else. */
  linkDensity(): number {
    if (this.text === 0) return this.links > 0 ? 1 : 0;
    return this.linkText / this.text;
  }

  /** Links, possibly under headings, with hardly any other words. */
  isListOfLinks(): boolean {
    return this.links > 0 && this.linkText > (this.text - this.headingText) * 0.5;
  }

  isEmpty(): boolean {
    return this.text === 0 && this.images === 0;
  }
}

export type Measures = ReadonlyMap<HtmlElement, Measure>;
