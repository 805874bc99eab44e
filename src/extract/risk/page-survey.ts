import type { OpenTag } from '../open-tag.ts';
import { type HtmlSink, scanHtml } from '../scan-html.ts';
import type { TagName } from '../tag-names.ts';
import { decodeAttribute, decodeEntities } from './decode-entities.ts';
import { holdsPassage, isSuspicious } from './find-suspicious.ts';
import { isHiddenByStyle } from './hiding-styles.ts';
import { MetadataTexts, withoutTags } from './metadata-texts.ts';
import { pageTexts } from './page-texts.ts';
import { TextSurvey } from './text-survey.ts';

/**
 * Whether the source of a page contains anything to examine. Most pages do not, and are not examined further.
 *
 * Style sheets are not considered here: a passage that is split by an element hidden by a style sheet is missed.
 */
export function isSuspiciousPage(html: string): boolean {
  const survey = new PageSurvey(html);
  scanHtml(html, survey);
  return survey.isSuspicious();
}

class PageSurvey implements HtmlSink {
  readonly #html: string;
  readonly #shown = new TextSurvey();
  readonly #hidden = new TextSurvey();
  readonly #metadata = new MetadataTexts();
  /** Where the pieces of text begin and end, and the number of letters before each. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #letters: number[] = [];
  #hasRoleMark = false;
  #foreignDepth = 0;
  /** What is open: a script, a style, or a hidden element with the number of nested ones of its name. */
  #raw: TagName | undefined;
  #scriptType = '';
  #hiddenName = '';
  #hiddenDepth = 0;
  #nextEntity: number;
  /** How much of the page was read a second time. */
  #lookedAt = 0;

  constructor(html: string) {
    this.#html = html;
    this.#nextEntity = html.indexOf('&');
  }

  onText(start: number, end: number): void {
    const raw = this.#raw;
    const html = this.#html;
    this.#raw = undefined;
    if (raw?.part === 'script') this.#metadata.takeScript(this.#scriptType, html.slice(start, end));
    else if (raw?.part === 'style') this.#metadata.takeSheet(html.slice(start, end));
    // It contains no tags, so it cannot be read again as part of the page.
    else if (raw !== undefined) this.#metadata.take(decodeEntities(html.slice(start, end)));
    else this.#readText(start, end);
  }

  #readText(start: number, end: number): void {
    if (isBlank(this.#html, start, end)) {
      this.#texts.skip(end - start);
      return;
    }
    this.#starts.push(start);
    this.#ends.push(end);
    this.#letters.push(this.#shown.letters + this.#hidden.letters);
    if (this.#hasEntity(start, end)) this.#texts.read(decodeEntities(this.#html.slice(start, end)), 0, undefined, end);
    else this.#texts.read(this.#html, start, end);
  }

  onOpenTag(tag: OpenTag): void {
    const { name } = tag;
    this.#raw = name.isRaw ? name : undefined;
    this.#metadata.takeAttributes(tag);
    if (name.isBlock) this.#texts.breakWord();
    if (name.isRoleMark) this.#hasRoleMark = true;
    if (name.isForeign && !tag.isSelfClosing) this.#foreignDepth += 1;
    if (name.part === 'script') this.#scriptType = tag.find('type') ?? '';
    if (this.#hiddenDepth > 0) {
      if (name.name === this.#hiddenName) this.#hiddenDepth += 1;
    } else if (tag.count > 0 && !name.isVoid && isHiddenByItself(tag)) {
      this.#hiddenName = name.name;
      this.#hiddenDepth = 1;
    }
  }

  onCloseTag(name: TagName): void {
    this.#raw = undefined;
    if (name.isBlock) this.#texts.breakWord();
    if (name.isForeign && this.#foreignDepth > 0) this.#foreignDepth -= 1;
    if (this.#hiddenDepth > 0 && name.name === this.#hiddenName) this.#hiddenDepth -= 1;
  }

  onComment(start: number, end: number): void {
    this.#metadata.take(withoutTags(this.#html.slice(start, end)));
  }

  isInForeign(): boolean {
    return this.#foreignDepth > 0;
  }

  get isDone(): boolean {
    return this.#hasRoleMark || this.#shown.isSure || this.#hidden.isSure;
  }

  isSuspicious(): boolean {
    this.#shown.end();
    this.#hidden.end();
    if (this.isDone) return true;
    const hits = [...this.#shown.hits, ...this.#hidden.hits];
    return holdsPassage(hits, (from, to) => this.#textsAround(from, to)) || isSuspicious(this.#metadata.text());
  }

  /** The texts of a part of the page by visibility, as far as the part itself tells. Reads at most the length of the page in total. */
  #textsAround(from: number, to: number): string[] | undefined {
    const part = this.#html.slice(this.#startBefore(from), this.#endAfter(to));
    this.#lookedAt += part.length;
    return this.#lookedAt > this.#html.length ? undefined : Object.values(pageTexts(part));
  }

  #startBefore(at: number): number {
    let piece = firstAtLeast(this.#ends, at);
    const wanted = (this.#letters[piece] ?? 0) - LETTERS_BEFORE;
    while (piece > 0 && (this.#letters[piece] ?? 0) > wanted) piece -= 1;
    return this.#starts[piece] ?? 0;
  }

  #endAfter(at: number): number {
    let piece = firstAtLeast(this.#ends, at);
    const wanted = (this.#letters[piece + 1] ?? 0) + LETTERS_AFTER;
    while (piece < this.#ends.length - 1 && (this.#letters[piece] ?? 0) < wanted) piece += 1;
    return this.#ends[piece] ?? this.#html.length;
  }

  get #texts(): TextSurvey {
    return this.#hiddenDepth > 0 ? this.#hidden : this.#shown;
  }

  #hasEntity(start: number, end: number): boolean {
    if (this.#nextEntity >= 0 && this.#nextEntity < start) this.#nextEntity = this.#html.indexOf('&', start);
    return this.#nextEntity >= 0 && this.#nextEntity < end;
  }
}

/** The length of a passage before and after the words that revealed it, with room for hidden text in between. */
const LETTERS_BEFORE = 800;
const LETTERS_AFTER = 500;

function isBlank(html: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (html.charCodeAt(at) > 32) return false;
  return true;
}

/** Hidden by its own attributes, not by its class. */
function isHiddenByItself(tag: OpenTag): boolean {
  for (let index = 0; index < tag.count; index += 1) {
    const length = tag.nameLength(index);
    if (length === 5 && tag.isNamed(index, 'style') && isHiddenByStyle(decodeAttribute(tag.rawValue(index))))
      return true;
    if (length === 6 && tag.isNamed(index, 'hidden')) return true;
    if (length === 11 && tag.isNamed(index, 'aria-hidden') && tag.valueStartsWith(index, 'true')) return true;
  }
  return false;
}

/** The index of the first number that is at least `least`, in ascending numbers. */
function firstAtLeast(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
