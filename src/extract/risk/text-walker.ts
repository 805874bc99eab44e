import type { OpenTag } from '../open-tag.ts';
import type { HtmlSink } from '../scan-html.ts';
import { type TagName, tagNameOf } from '../tag-names.ts';
import { decodeAttribute, decodeEntities } from './decode-entities.ts';
import { ElementLooks, marksOf } from './element-looks.ts';
import { isSameColor, type LookMarks, readStyles } from './hiding-styles.ts';
import { MetadataTexts, withoutTags } from './metadata-texts.ts';
import { OpenElements } from './open-elements.ts';
import { TextPieces } from './text-pieces.ts';

/** How the content of an element is seen. */
interface Around {
  readonly concealed: boolean;
  readonly inCode: boolean;
  readonly background: string | undefined;
}

interface Open {
  readonly tag: TagName;
  readonly around: Around;
  /** For its content. */
  readonly inside: Around;
  /** Where its text is collected, if it is not part of the text around. */
  readonly collected: Collected | undefined;
  /** It is the outermost element of the collection. */
  readonly isOwner: boolean;
}

interface Collected {
  readonly part: TagName['part'];
  readonly texts: string[];
  /** The type of a script. */
  readonly type: string;
}

/** A page that hides itself until its script runs hides nothing. */
const WHOLE_PAGE = new Set(['body', 'main']);
const WHITE = '#ffffff';
const SEEN: Around = { concealed: false, inCode: false, background: undefined };
const ROOT: Open = { tag: tagNameOf('body'), around: SEEN, inside: SEEN, collected: undefined, isOwner: false };

/** Sorts the texts of a page by visibility while it is read. */
export class TextWalker implements HtmlSink {
  readonly shown = new TextPieces();
  /** The content of elements hidden by style: a script may show them. */
  readonly hidden = new TextPieces();
  /** Comments, templates and the like. */
  readonly unseen = new TextPieces();
  readonly metadata = new MetadataTexts();
  readonly sheets: string[] = [];
  readonly isDone = false;
  /** A style came after elements that were judged without it: from there on, only sheets are read. */
  isOutdated = false;
  readonly #html: string;
  readonly #open = new OpenElements<Open>(ROOT, (element) => this.#leave(element));
  readonly #allSheets: readonly string[] | undefined;
  #looks: ElementLooks | undefined;
  /** The marks of the page's outermost element, which comes before the styles. */
  #pageMarks: LookMarks = { name: 'html' };
  #pageBackground = WHITE;
  /** The collection of the last text, as long as no tag followed. */
  #growing: string[] | undefined;

  /** `sheets`: all sheets of the page. Undefined: only those before the first element that is judged by its looks are used. */
  constructor(html: string, sheets: readonly string[] | undefined) {
    this.#html = html;
    this.#allSheets = sheets;
  }

  onText(start: number, end: number): void {
    const { tag, inside, collected } = this.#open.innermost;
    if (collected !== undefined) this.#collect(collected, this.#html.slice(start, end), tag);
    else if (!this.isOutdated && tag.part !== 'frame')
      this.#piecesOf(inside).add(decodeEntities(this.#html.slice(start, end)));
  }

  onOpenTag(tag: OpenTag): void {
    const { name } = tag;
    if (name.name === 'form' && this.#open.isOpen('form')) return;
    this.#growing = undefined;
    if (this.#open.foreignDepth === 0) this.#open.closeImplied(name);
    const element = this.#enter(tag, this.#open.innermost);
    if (name.isVoid || (tag.isSelfClosing && this.#open.foreignDepth > 0)) this.#leave(element);
    else this.#open.push(element);
  }

  onCloseTag(name: TagName): void {
    if (this.#open.closeTag(name)) this.#growing = undefined;
  }

  onComment(start: number, end: number): void {
    if (this.isOutdated) return;
    const { collected } = this.#open.innermost;
    this.#growing = undefined;
    if (collected !== undefined) collected.texts.push(this.#html.slice(start, end));
    else this.#takeUnseen(withoutTags(this.#html.slice(start, end)));
  }

  isInForeign(): boolean {
    return this.#open.foreignDepth > 0;
  }

  end(): void {
    this.#open.closeAll();
  }

  #enter(tag: OpenTag, { inside: around, collected }: Open): Open {
    const { name } = tag;
    const isSame = this.isOutdated || collected?.part === 'silent';
    if (!isSame) this.metadata.takeAttributes(tag);
    if (name.part === 'style') return collecting(tag, around);
    if (name.name === 'html') this.#pageMarks = marksOf(tag);
    if (isSame || collected !== undefined || name.part === 'frame')
      return { tag: name, around, inside: around, collected, isOwner: false };
    if (name.part !== 'seen') return collecting(tag, around);

    const inside = name.isVoid ? around : this.#insideOf(tag, around);
    this.#begin(name, around, inside);
    return { tag: name, around, inside, collected, isOwner: false };
  }

  #insideOf(tag: OpenTag, around: Around): Around {
    const { name, isCode } = tag.name;
    const look = this.#judge().of(tag);
    const background = look?.background ?? around.background;
    let { concealed } = around;
    if (look !== undefined && !concealed && !WHOLE_PAGE.has(name)) {
      const isUnreadable = look.color !== undefined && isSameColor(look.color, background ?? this.#pageBackground);
      concealed = isUnreadable || look.isHidden;
    }
    // Marks of code are only for visible text.
    const inCode = around.inCode || (isCode && !concealed);
    const isSame = concealed === around.concealed && inCode === around.inCode && background === around.background;
    return isSame ? around : { concealed, inCode, background };
  }

  #judge(): ElementLooks {
    if (this.#looks !== undefined) return this.#looks;
    this.#looks = new ElementLooks(readStyles(this.#allSheets ?? this.sheets));
    this.#pageBackground = this.#looks.lookOf(this.#pageMarks).background ?? WHITE;
    return this.#looks;
  }

  #begin({ name, isBlock, isRoleMark }: TagName, around: Around, inside: Around): void {
    const pieces = this.#piecesOf(inside);
    if (isBlock) pieces.breakLine(name !== 'br');
    if (inside.concealed !== around.concealed) pieces.breakLine(true);
    if (isRoleMark) pieces.add(` <${name}> `);
    if (name === 'blockquote') pieces.quoteDepth += 1;
    if (name === 'q') pieces.add('“');
    if (inside.inCode !== around.inCode) pieces.add(name === 'pre' ? '```\n' : '`');
  }

  #leave({ tag, around, inside, collected, isOwner }: Open): void {
    if (collected !== undefined) {
      if (isOwner) this.#takeCollected(collected);
    } else if (tag.part === 'seen' && !this.isOutdated) {
      this.#finish(tag, around, inside);
    }
  }

  #finish({ name, isBlock }: TagName, around: Around, inside: Around): void {
    const pieces = this.#piecesOf(inside);
    if (inside.inCode !== around.inCode) pieces.add(name === 'pre' ? '\n```' : '`');
    if (name === 'q') pieces.add('”');
    if (isBlock || inside.concealed !== around.concealed) pieces.breakLine(name !== 'br');
    if (name === 'blockquote') pieces.quoteDepth -= 1;
    // Neighbouring items of a form are not one word.
    if (name === 'option' || name === 'label') pieces.add(' ');
  }

  #piecesOf({ concealed }: Around): TextPieces {
    return concealed ? this.hidden : this.shown;
  }

  #collect({ part, texts }: Collected, written: string, tag: TagName): void {
    if (part === 'silent') return;
    const text = tag.isRaw ? written : decodeEntities(written);
    if (this.#growing === texts) texts[texts.length - 1] += text;
    else texts.push(text);
    this.#growing = texts;
  }

  #takeCollected({ part, texts, type }: Collected): void {
    if (part === 'style') this.#takeSheet(texts.join(''));
    else if (this.isOutdated) return;
    else if (part === 'script') this.metadata.takeScript(type, texts.join(''));
    else if (part === 'unseen') this.#takeUnseen(texts.join(' '));
  }

  #takeSheet(sheet: string): void {
    this.sheets.push(sheet);
    this.#open.innermost.collected?.texts.push(sheet);
    if (this.#looks !== undefined && this.#allSheets === undefined) this.isOutdated = true;
  }

  #takeUnseen(text: string): void {
    this.unseen.breakLine(true);
    this.unseen.add(text);
    this.unseen.breakLine(true);
  }
}

function collecting(tag: OpenTag, around: Around): Open {
  const { name } = tag;
  const type = name.part === 'script' ? decodeAttribute(tag.find('type') ?? '') : '';
  return { tag: name, around, inside: around, collected: { part: name.part, texts: [], type }, isOwner: true };
}
