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
 * Whether the source of a page holds anything that is to be examined. Most pages do not, and are looked at no further.
 *
 * Which elements are hidden by a style sheet is not asked here: a passage that such an element tears apart is not seen.
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
  /** Where the pieces of text begin and end, and how many letters there were before each. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #letters: number[] = [];
  #hasRoleMark = false;
  #foreignDepth = 0;
  /** What is open: a script, a style, or something hidden with as many of its name inside. */
  #raw: TagName | undefined;
  #scriptType = '';
  #hiddenName = '';
  #hiddenDepth = 0;
  #nextEntity: number;
  /** How much of the page was looked at once more. */
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
    // Nothing in it is a tag, so it cannot be read again as a part of the page.
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

  /** The texts of a part of the page, by who sees them, as far as the part itself tells. Looks at no more than the page once. */
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

/** What a passage may hold before and behind the words that gave it away, with room for what is hidden between. */
const LETTERS_BEFORE = 800;
const LETTERS_AFTER = 500;

function isBlank(html: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (html.charCodeAt(at) > 32) return false;
  return true;
}

/** By its own attributes, and not by its class. */
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

/** The index of the first number that is so much or more, of numbers that grow. */
function firstAtLeast(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
