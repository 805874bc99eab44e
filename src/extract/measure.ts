import { type HtmlElement, levelOf } from './html-tree.ts';

/** What stands in an element, counted once, after everything that is not content was taken out. */
export class Measure {
  /** Characters of text, white space not counted. */
  text = 0;
  /** Those of them inside links. */
  linkText = 0;
  links = 0;
  /** Links to a place on the same page. */
  localLinks = 0;
  /** Buttons, fields and the like that stood here. */
  controls = 0;
  /** Those of them that take words. */
  fields = 0;
  /** Elements that make a paragraph of their own. */
  blocks = 0;
  images = 0;
  tables = 0;
  /** Those characters of text that tell when the page was published. */
  publicationText = 0;
  /** Text of headings that is not inside links. */
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

  /** Share of the text that is link text; 1 where there is a link and nothing else. */
  linkDensity(): number {
    if (this.text === 0) return this.links > 0 ? 1 : 0;
    return this.linkText / this.text;
  }

  /** Links, perhaps under headings, and hardly a word else. */
  isListOfLinks(): boolean {
    return this.links > 0 && this.linkText > (this.text - this.headingText) * 0.5;
  }

  isEmpty(): boolean {
    return this.text === 0 && this.images === 0;
  }
}

export type Measures = ReadonlyMap<HtmlElement, Measure>;
