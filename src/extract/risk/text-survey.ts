import { goesOnAt, isOfOtherScript, wordBefore, wordFrom } from './disguised-word.ts';
import { encodedTexts } from './encoded-texts.ts';
import { PATTERNS } from './find-passages.ts';
import { isAlarmingMark, isEscapeMark, NO_WORD, wordOfMark } from './mark-readings.ts';
import { OTHER_SCRIPT_WORDS } from './other-script-patterns.ts';
import { plainLetters } from './plain-letters.ts';
import type { RiskPattern } from './risk-pattern.ts';
import { concealsPassage, hexadecimalAround, MIN_CODE, textsOfCode } from './survey-codes.ts';
import {
  CODE,
  DISGUISED,
  EscapeCount,
  isAccountStart,
  isDigitOfWord,
  isFramedEnd,
  isLetter,
  KINDS,
  MARK,
  MARK_OF_CODE,
  PLAIN,
  UNSEEN,
} from './survey-marks.ts';
import { UnseenCount, unusualOf } from './unusual-characters.ts';
import { ChainFinder, hashOf, hashWith, KEY_LENGTH } from './word-chains.ts';

const CHAINS = new ChainFinder(PATTERNS.flatMap(({ chains = [] }, owner) => chains.map((chain) => ({ chain, owner }))));

const [LINE_FEED, SPACE] = [10, 32];
const [END, ACCOUNT] = [hashOf('end'), hashOf('iban')];

const MANY_DIGITS = 24;
const MANY_SINGLES = 6;
/** Further hits are not examined one by one. */
const MAX_HITS = 200;

/** A place with the words of a pattern. */
export interface SurveyHit {
  readonly pattern: RiskPattern;
  /** The end of the last word. */
  readonly at: number;
}

/**
 * A quick survey of a text: where a pattern, a code or an invisible character is possible at all. It may find too much, but never too little: if it finds
 * nothing, neither does examineRisk.
 *
 * Pieces may be passed one by one. A word continues in the next piece, unless {@link breakWord} is called between them.
 */
export class TextSurvey {
  /** The whole text must be examined. */
  isSure = false;
  readonly hits: SurveyHit[] = [];
  readonly #isDecoded: boolean;
  readonly #track = CHAINS.startTrack();
  readonly #onWhole = (owner: number): void => this.#takeHit(owner);
  /** The place of the current piece, for hits. */
  #place = 0;
  /** The current word. */
  #hash = 0;
  #length = 0;
  /** What earlier pieces contain of a code that may continue. */
  #code = '';
  #singles = 0;
  #singlesHash = 0;
  #singleAt = 0;
  #digits = 0;
  readonly #escapes = new EscapeCount();
  readonly #unseen = new UnseenCount();
  /** The last piece ends in a word with lookalike letters. */
  #isTornDisguise = false;
  /** How much was read before, minus the start of the piece. */
  #before = 0;
  /** Whether the piece contains letters of other scripts, and the pieces that do. */
  #hasOther = false;
  readonly #otherTexts: string[] = [];

  /** For a text, or for a decoded code. */
  constructor(isDecoded = false) {
    this.#isDecoded = isDecoded;
  }

  /** Reads a piece of text with decoded entities. Hits are located at its end, or at `place`. */
  read(text: string, start = 0, end = text.length, place = end): void {
    if (this.isSure) return;
    this.#place = place;
    this.#before -= start;
    if (this.#length > 0) this.#readTorn(text, start, end);
    if (this.#isTornDisguise && goesOnAt(text, start)) this.isSure = true;
    this.#isTornDisguise = false;
    let hash = this.#hash;
    let length = this.#length;
    let codeFrom = start;
    let carriesCode = this.#code !== '';
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      const letter = code | 0x20;
      if (letter >= 97 && letter <= 122) {
        length += 1;
        if (length <= KEY_LENGTH) hash = hashWith(hash, letter);
        continue;
      }
      if (length === 0 && at === codeFrom && !carriesCode && (code === SPACE || code === LINE_FEED)) {
        codeFrom += 1;
        continue;
      }
      const kind = code < 128 ? (KINDS[code] ?? PLAIN) : this.#takeUnusual(code, text, at, length);
      if (kind === UNSEEN) continue;
      if (kind === DISGUISED) {
        const wordEnd = this.#takeDisguised(text, at, start, end);
        if (carriesCode || at - codeFrom >= MIN_CODE) this.#endCode(text, codeFrom, at);
        carriesCode = false;
        at = wordEnd - 1;
        hash = 0;
        length = 0;
        codeFrom = at + 1;
        continue;
      }
      if (length > 0) {
        // A word that is not in a chain, and not a single letter, is only counted.
        if (length > 1 && this.#singles === 0 && !CHAINS.mayKnow(hash)) this.#count(length);
        else this.#endWord(hash, length, text, at);
        hash = 0;
        length = 0;
      }
      if (kind >= MARK) this.#takeMark(code, text, at);
      if (kind === CODE || kind === MARK_OF_CODE) continue;
      if (carriesCode || at - codeFrom >= MIN_CODE) this.#endCode(text, codeFrom, at);
      carriesCode = false;
      codeFrom = at + 1;
    }
    this.#hash = hash;
    this.#length = length;
    this.#before += end;
    if (codeFrom < end) this.#code += text.slice(codeFrom, end);
    if (this.#hasOther) this.#otherTexts.push(text.slice(start, end));
    this.#hasOther = false;
  }

  /** Reads this much space. */
  skip(length: number): void {
    if (this.#length > 0) this.#endWord(this.#hash, this.#length, '', 0);
    this.#hash = 0;
    this.#length = 0;
    if (this.#code !== '') this.#endCode('', 0, 0);
    this.#before += length;
    this.#isTornDisguise = false;
  }

  /** Ends the word, like a paragraph does. */
  breakWord(): void {
    this.skip(0);
    this.#endSingles();
    if (this.#otherTexts.length > 0) this.#otherTexts.push('\n');
  }

  /** The number of letters so far, counting each end of a word as one. */
  get letters(): number {
    return this.#track.letters;
  }

  end(): void {
    this.breakWord();
    if (this.#otherTexts.length > 0 && OTHER_SCRIPT_WORDS.test(plainLetters(this.#otherTexts.join(''))))
      this.isSure = true;
  }

  /** For a word that continues in a new piece, or a piece with other visibility: both parts also count as words. */
  #readTorn(text: string, start: number, end: number): void {
    let hash = 0;
    let at = start;
    for (; at < end; at += 1) {
      const letter = text.charCodeAt(at) | 0x20;
      if (letter < 97 || letter > 122) break;
      if (at - start < KEY_LENGTH) hash = hashWith(hash, letter);
    }
    if (at === start) return;
    this.#takeWord(this.#hash);
    this.#takeWord(hash);
  }

  #takeHit(owner: number): void {
    const pattern = PATTERNS[owner];
    if (this.hits.length >= MAX_HITS) this.isSure = true;
    else if (pattern !== undefined) this.hits.push({ pattern, at: this.#place });
  }

  #endWord(hash: number, length: number, text: string, at: number): void {
    if (length === 1) {
      this.#takeSingle(hash, this.#before + at);
      return;
    }
    this.#endSingles();
    this.#count(length);
    this.#takeWord(hash);
    if (hash === END && isFramedEnd(text, at)) this.isSure = true;
  }

  #count(length: number): void {
    this.#track.words += 1;
    this.#track.letters += length + 1;
    if (length > 2) this.#digits = 0;
  }

  /** Separated letters may form one word. */
  #takeSingle(letter: number, at: number): void {
    if (at - this.#singleAt !== 2) this.#endSingles();
    this.#singleAt = at;
    if (this.#singles < KEY_LENGTH) this.#singlesHash = hashWith(this.#singlesHash, letter);
    this.#singles += 1;
    // Although it may be part of a word, it also counts as a separate word.
    if (this.#singles === 1) this.#track.words += 1;
    this.#track.letters += 1;
    this.#takeWord(letter);
  }

  #endSingles(): void {
    if (this.#singles >= MANY_SINGLES) this.#takeWord(this.#singlesHash);
    this.#singles = 0;
    this.#singlesHash = 0;
  }

  #endCode(text: string, from: number, to: number): void {
    const code = this.#code;
    this.#code = '';
    if (code.length + to - from < MIN_CODE) return;
    for (const decoded of textsOfCode(code, text.slice(from, to))) this.#lookForPassage(decoded);
  }

  #lookForCode(text: string): void {
    for (const decoded of encodedTexts(text)) this.#lookForPassage(decoded);
  }

  /** Codes inside codes are not decoded. */
  #lookForPassage(decoded: string): void {
    if (decoded === '' || this.#isDecoded) return;
    const inner = new TextSurvey(true);
    inner.read(decoded);
    inner.end();
    const likely = new Set(inner.hits.map(({ pattern }) => pattern));
    if (inner.isSure || (likely.size > 0 && concealsPassage(decoded, likely))) this.isSure = true;
  }

  #takeUnusual(code: number, text: string, at: number, length: number): number {
    const next = text.charCodeAt(at + 1);
    const kind = unusualOf(code, next);
    if (kind === 'boundary') return PLAIN;
    if (kind === 'unseen') {
      if (this.#unseen.take(this.#before + at)) this.isSure = true;
      return UNSEEN;
    }
    if (kind === 'alarming') this.isSure = true;
    if (kind === 'letter') this.#hasOther = true;
    return kind === 'odd' || length > 0 || isLetter(next) ? DISGUISED : PLAIN;
  }

  /** Reads a word with lookalike letters as the plain word it resembles, and returns where it ends. */
  #takeDisguised(text: string, at: number, start: number, end: number): number {
    const here = wordBefore(text, at, start);
    const begun = here.length === at - start ? `${/[a-z]*$/i.exec(this.#code)?.[0] ?? ''}${here}` : here;
    const rest = wordFrom(text, at, end);
    this.#isTornDisguise = at + rest.length === end;
    if (isOfOtherScript(rest)) this.#hasOther = true;
    for (let inside = at; inside < at + rest.length; inside += 1) {
      const code = text.charCodeAt(inside);
      if (code > 127 && unusualOf(code, 0) === 'unseen' && this.#unseen.take(this.#before + inside)) this.isSure = true;
    }
    for (const [word] of plainLetters(begun + rest).matchAll(/[a-z]{1,40}/g)) {
      this.#endWord(hashOf(word), word.length, '', 0);
    }
    return at + Math.max(1, rest.length);
  }

  #takeMark(code: number, text: string, at: number): void {
    if (code >= 48 && code <= 57) {
      this.#takeDigit(code, text, at);
      return;
    }
    if (isEscapeMark(code)) {
      this.#lookForCode(this.#escapes.take(text, at) ?? '');
      return;
    }
    const word = wordOfMark(code, text, at);
    if (word !== NO_WORD) this.#takeWord(word);
    if (isAlarmingMark(code, text, at)) this.isSure = true;
  }

  #takeWord(hash: number): void {
    CHAINS.see(hash, this.#track, this.#onWhole);
  }

  #takeDigit(code: number, text: string, at: number): void {
    this.#digits += 1;
    const isBesideLetter = isLetter(text.charCodeAt(at - 1)) || isLetter(text.charCodeAt(at + 1));
    if (isBesideLetter && isAccountStart(text, at)) this.#takeWord(ACCOUNT);
    if (isBesideLetter && code < 53 && isDigitOfWord(text, at)) this.isSure = true;
    if (this.#digits < MANY_DIGITS) return;
    this.#digits = 0;
    this.#lookForCode(hexadecimalAround(text, at));
  }
}
