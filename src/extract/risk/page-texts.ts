import { BLOCKS } from '../html-elements.ts';
import { attribute, type HtmlElement, textOf } from '../html-tree.ts';
import { COMMENT, parseHtml } from '../parse-html.ts';
import {
  backgroundColor,
  colorOf,
  declarationsOf,
  isHiddenByMark,
  isHiddenByStyle,
  isSameColor,
  type PageStyles,
  readStyles,
  textColor,
} from './hiding-styles.ts';

/** All that a page's source says to whoever reads it, by who sees it. */
export interface PageTexts {
  /** What people see, furniture included. Code stands in backticks, quotations behind `>`. */
  readonly text: string;
  /** What the source holds and people do not see: hidden elements, comments, templates, what is shown without scripts. */
  readonly concealed: string;
  /** What is said of the page and its parts: descriptions, alternative texts, JSON-LD. */
  readonly metadata: string;
}

/** A page that shows less than this and hides more than that is drawn by a script: what it hides is what people see. */
const SCANT_TEXT = 200;
const PLENTY_HIDDEN = 600;

export function pageTexts(html: string): PageTexts {
  const root = parseHtml(html, { unseenToo: true });
  const sheets: string[] = [];
  collectSheets(root, sheets);
  const walker = new TextWalker(readStyles(sheets));
  walker.visit(root, { concealed: false, inCode: false, background: undefined });
  const text = walker.shown.text();
  const hidden = walker.hidden.text();
  const isDrawn = text.length < SCANT_TEXT && hidden.length > PLENTY_HIDDEN;
  return {
    text: isDrawn ? `${text}\n\n${hidden}` : text,
    concealed: isDrawn ? walker.unseen.text() : `${hidden}\n\n${walker.unseen.text()}`.trim(),
    metadata: [...walker.metadata, ...sheets.flatMap(generatedTexts)].join('\n\n'),
  };
}

function collectSheets(element: HtmlElement, sheets: string[]): void {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (child.name === 'style') sheets.push(textOf(child));
    else collectSheets(child, sheets);
  }
}

const MIN_GENERATED = 20;

/** Text that a style puts before or behind an element. */
function generatedTexts(sheet: string): string[] {
  const strings = Array.from(sheet.matchAll(/content\s*:\s*(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})')/g));
  return strings.map(([, double, single]) => double ?? single ?? '').filter(({ length }) => length >= MIN_GENERATED);
}

interface Around {
  readonly concealed: boolean;
  readonly inCode: boolean;
  readonly background: string | undefined;
}

/** Elements whose text people see only when something fails, or never. */
const NEVER_SHOWN = new Set(
  `template noscript noembed noframes object applet canvas audio video iframe datalist metadata desc ${COMMENT}`.split(
    ' ',
  ),
);
const SILENT = new Set(['style', 'head', 'base', 'link']);
/** Elements of no HTML whose names are marks of who speaks. */
const ROLE_ELEMENTS =
  /^(?:system|system[-_]?(?:prompt|message|instructions?)|instructions?|assistant|developer|tool[-_]?(?:call|use)|function[-_]?calls?|invoke|user[-_]?query|human)$/;
/** A page that hides itself until its script runs hides nothing. */
const WHOLE_PAGE = new Set(['html', 'body', 'main']);
const CODE = new Set(['code', 'kbd', 'samp', 'tt', 'var']);
const MAX_METADATA = 20_000;
const MAX_ENTRIES = 20_000;

interface Looks {
  readonly isHidden: boolean;
  readonly color: string | undefined;
  readonly background: string | undefined;
}

/** What tells beside the style. */
const LOOKS = ['class', 'hidden', 'aria-hidden', 'role', 'bgcolor', 'color'];

class TextWalker {
  readonly shown = new TextPieces();
  /** What elements hold that are hidden by their looks: a script may show them. */
  readonly hidden = new TextPieces();
  /** Comments, templates and the like. */
  readonly unseen = new TextPieces();
  readonly metadata: string[] = [];
  private readonly styles: PageStyles;
  /** By all that they depend on: most elements of a page look alike. */
  private readonly looks = new Map<string, Looks>();

  constructor(styles: PageStyles) {
    this.styles = styles;
  }

  visit(element: HtmlElement, around: Around): void {
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (element.name !== 'head' && element.name !== 'html') this.piecesOf(around).add(child);
      } else {
        this.enter(child, around);
      }
    }
  }

  private enter(element: HtmlElement, around: Around): void {
    const { name } = element;
    if (element.attributes.size > 0) this.takeAttributes(element);
    if (name === 'script') this.takeScript(element);
    else if (NEVER_SHOWN.has(name)) this.takeUnseen(element);
    else if (name === 'head') this.visit(element, around);
    else if (name !== 'title' && !SILENT.has(name)) this.takeElement(element, around);
  }

  private takeElement(element: HtmlElement, around: Around): void {
    const { name } = element;
    const inside = this.insideOf(element, around);
    const pieces = this.piecesOf(inside);
    const mark = around.inCode || inside.concealed ? '' : name === 'pre' ? '```' : CODE.has(name) ? '`' : '';
    const isBlock = BLOCKS.has(name) || name === 'br' || name === 'hr';
    if (isBlock) pieces.breakLine(name !== 'br');
    if (inside.concealed !== around.concealed) pieces.breakLine(true);
    if (ROLE_ELEMENTS.test(name)) pieces.add(` <${name}> `);
    if (name === 'blockquote') pieces.quoteDepth += 1;
    if (name === 'q') pieces.add('“');
    pieces.add(mark === '```' ? '```\n' : mark);
    this.visit(element, { ...inside, inCode: around.inCode || mark !== '' });
    pieces.add(mark === '```' ? '\n```' : mark);
    if (name === 'q') pieces.add('”');
    if (isBlock || inside.concealed !== around.concealed) pieces.breakLine(name !== 'br');
    if (name === 'blockquote') pieces.quoteDepth -= 1;
    // Cells that stand beside each other are not one word.
    if (name === 'option' || name === 'label') pieces.add(' ');
  }

  private insideOf(element: HtmlElement, around: Around): Around {
    const { attributes, name } = element;
    if (attributes.size === 0 && !this.styles.has(name)) return around;
    const looks = this.looksOf(element);
    const background = looks.background ?? around.background;
    if (around.concealed || WHOLE_PAGE.has(name)) return { ...around, background };
    const isUnreadable = looks.color !== undefined && isSameColor(looks.color, background ?? '#ffffff');
    return { ...around, background, concealed: isUnreadable || looks.isHidden };
  }

  private looksOf(element: HtmlElement): Looks {
    const declarations = declarationsOf(element, this.styles);
    // An attribute that is there and empty tells too.
    const mark = LOOKS.map((name) => (element.attributes.has(name) ? `=${attribute(element, name)}` : '')).join('\t');
    const key = `${declarations}\t${mark}`;
    const known = this.looks.get(key);
    if (known !== undefined) return known;
    const looks = {
      isHidden: isHiddenByMark(element) || isHiddenByStyle(declarations),
      color: textColor(declarations) ?? colorOf(element.name === 'font' ? attribute(element, 'color') : undefined),
      background: backgroundColor(declarations) ?? colorOf(attribute(element, 'bgcolor')),
    };
    if (this.looks.size < MAX_ENTRIES) this.looks.set(key, looks);
    return looks;
  }

  private piecesOf({ concealed }: Around): TextPieces {
    return concealed ? this.hidden : this.shown;
  }

  private takeUnseen(element: HtmlElement): void {
    this.unseen.breakLine(true);
    this.unseen.add(element.name === COMMENT ? withoutTags(textOf(element)) : textOf(element, ' '));
    for (const child of element.children) if (typeof child !== 'string') this.takeAttributesBelow(child);
    this.unseen.breakLine(true);
  }

  private takeAttributesBelow(element: HtmlElement): void {
    this.takeAttributes(element);
    for (const child of element.children) if (typeof child !== 'string') this.takeAttributesBelow(child);
  }

  private takeScript(script: HtmlElement): void {
    const type = attribute(script, 'type')?.toLowerCase() ?? '';
    if (/^\s*application\/ld\+json/.test(type)) this.takeMetadata(jsonTexts(textOf(script)));
    else if (/^\s*text\/(?!javascript|babel|jsx|typescript|x-mathjax|tailwind)/.test(type))
      this.takeMetadata(textOf(script));
  }

  private takeAttributes(element: HtmlElement): void {
    for (const [name, value] of element.attributes) {
      if (value.length < MIN_ATTRIBUTE || MACHINE_ATTRIBUTES.has(name)) continue;
      if (ADDRESSES.has(name)) this.takeDataAddress(value);
      else if (name === 'srcdoc') this.takeMetadata(withoutTags(value));
      else if (SEVERAL_WORDS.test(value.slice(0, 200)) && !FRAMEWORK_ATTRIBUTE.test(name)) this.takeMetadata(value);
    }
  }

  private takeDataAddress(value: string): void {
    if (/^data:text\//i.test(value)) this.takeMetadata(value.slice(0, MAX_METADATA));
  }

  private takeMetadata(text: string): void {
    if (text !== '' && this.metadata.length < MAX_ENTRIES) this.metadata.push(text.slice(0, MAX_METADATA));
  }
}

/** Some languages write without spaces. */
const SEVERAL_WORDS = /\S\s\S|[\u3040-\u9FFF\uAC00-\uD7AF]/;
/** Shorter ones say nothing. */
const MIN_ATTRIBUTE = 12;
/** Attributes that hold no words, and those of frameworks. */
const MACHINE_ATTRIBUTES = new Set(
  'class style id d points srcset sizes viewbox transform rel media integrity nonce charset lang dir role width height pattern accept allow sandbox headers type name for target itemtype itemscope itemid xmlns'.split(
    ' ',
  ),
);
const FRAMEWORK_ATTRIBUTE = /^(?:on|x-|:|@|v-|jsaction|jsdata|xmlns)/;
const ADDRESSES = new Set(['href', 'src', 'action', 'data', 'poster', 'cite', 'formaction']);

function withoutTags(html: string): string {
  return html.replace(/<[a-z/!][^<>]{0,1000}>/gi, ' ');
}

/** The texts in JSON, also where it is broken. */
function jsonTexts(json: string): string {
  const texts: string[] = [];
  for (let at = json.indexOf('"'); at >= 0; ) {
    let end = at + 1;
    while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
    if (end - at > MIN_ATTRIBUTE) texts.push(unescapeJson(json.slice(at + 1, end)));
    at = json.indexOf('"', end + 1);
  }
  return texts.join('\n\n');
}

function unescapeJson(text: string): string {
  return text
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\(.)/g, '$1');
}

class TextPieces {
  quoteDepth = 0;
  private readonly pieces: string[] = [];
  private isFresh = true;

  add(text: string): void {
    if (text === '') return;
    if (this.isFresh && this.quoteDepth > 0 && text.trim() !== '') this.pieces.push('> ');
    if (text.trim() !== '') this.isFresh = false;
    this.pieces.push(text);
  }

  breakLine(isParagraph: boolean): void {
    if (this.isFresh && this.pieces.length > 0 && this.pieces.at(-1) === '\n\n') return;
    this.pieces.push(isParagraph ? '\n\n' : '\n');
    this.isFresh = true;
  }

  text(): string {
    return this.pieces.join('').trim();
  }
}
