import { base64Text, encodedTexts } from './encoded-texts.ts';
import { findPassages, PATTERNS } from './find-passages.ts';
import { DIGIT_PIECE, plainLetters } from './plain-letters.ts';
import type { RiskPattern } from './risk-pattern.ts';
import { ROLE_TAG } from './role-mark-patterns.ts';
import { UnseenCount, unusualOf } from './unusual-characters.ts';
import { ChainFinder, hashOf, hashWith, KEY_LENGTH } from './word-chains.ts';

const CHAINS = new ChainFinder(PATTERNS.flatMap(({ chains = [] }, owner) => chains.map((chain) => ({ chain, owner }))));
/** Words of other scripts than Latin, one of which stands in all that their patterns find. */
const OTHER_WORDS =
  /игнорируй|забудь|отбрось|отмени|внимания на|пренебреги|не следуй|(?:если|раз) (?:ты|вы)|(?:не|ничего не) (?:говори|сообщай|рассказывай|упоминай|раскрывай|показывай)|не уведомляя|не сообщая|без ведома|покажи|выведи|раскрой|повтори|напечатай|отправь|перешли|передай|пришли|вышли|теперь ты|отныне ты|ты теперь|忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要遵|抛弃|丢弃|撤销|覆盖|跳过|如果|若|假如|要是|作为|作為|用户|用戶|使用者|系统提示|系統提示|初始指令|系统指令|提示词|发送|發送|传送|上传|提交|发到|转发|你现在是|你現在是|从现在|從現在|推荐|好评|正面评价|回答|回复|忘れ|従わな|破棄|無効|取り消|あなた|もし|貴方が|これを読んでいる|ユーザー|利用者|システムプロンプト|送信|送っ|転送|무시|잊|따르지|사용자/;

/** Marks that patterns need as they need words; others stand for themselves. */
const [NUMBER_ONE, TENS, ACCOUNT] = [hashOf('one'), hashOf('tens'), hashOf('iban')];
const [EXCLAMATION, NUMBER_SIGN, DOLLAR, PERCENT, PLUS, COMMA, DASH, SLASH] = [33, 35, 36, 37, 43, 44, 45, 47];
const [COLON, EQUALS, AT_SIGN, BACKSLASH] = [58, 61, 64, 92];
const END = hashOf('end');

const MIN_CODE = 32;
const MIN_HEXADECIMAL = 48;
const MANY_DIGITS = 24;
const MANY_ESCAPES = 12;
const MANY_SINGLES = 6;
const CODE_NEAR = 400;
const LONG_CODE = 4000;
const MAX_DISGUISED = 40;
/** More are not looked at one by one. */
const MAX_HITS = 200;

/** What a character of ASCII is beside letters: the end of a word and no more, a part of a code, a mark to look at, or both. */
const [UNSEEN, PLAIN, CODE, MARK, MARK_OF_CODE] = [0, 1, 2, 3, 4];
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === '_') return CODE;
  if (/[\d+/-]/.test(character)) return MARK_OF_CODE;
  return /[<[\]#=@!$%\\:,]/.test(character) || !/[\x20-\x7E\s]/.test(character) ? MARK : PLAIN;
});

/** A place where the words of a pattern stand. */
export interface SurveyHit {
  readonly pattern: RiskPattern;
  /** The end of the last of them. */
  readonly at: number;
}

/**
 * A quick look at a text: where a pattern, a code or an unseen character may be found in it at all. Finds too much, and too little
 * never: where it finds nothing, neither does examineRisk.
 *
 * Pieces may be given one by one; a word goes on in the next piece, unless {@link breakWord} is called between.
 */
export class TextSurvey {
  /** It is to be examined as a whole. */
  isSure = false;
  readonly hits: SurveyHit[] = [];
  private readonly track = CHAINS.startTrack();
  private readonly onWhole = (owner: number): void => this.takeHit(owner);
  /** Where the piece is that is being read, for what is found in it. */
  private place = 0;
  /** The word that is being read. */
  private hash = 0;
  private length = 0;
  /** What the pieces before hold of a code that may go on. */
  private code = '';
  private singles = 0;
  private singlesHash = 0;
  private digits = 0;
  private escapes = 0;
  private escapeAt = 0;
  private escapesStart = 0;
  private escapesEnd = 0;
  private readonly unseen = new UnseenCount();
  /** How much was read before, less where the piece begins. */
  private before = 0;
  /** The piece holds letters of other scripts; those that do. */
  private hasOther = false;
  private readonly otherTexts: string[] = [];

  /** Reads a piece of a text in which entities are decoded. Hits are said to be at its end, or at `place`. */
  read(text: string, start = 0, end = text.length, place = end): void {
    if (this.isSure) return;
    this.place = place;
    this.before -= start;
    if (this.length > 0) this.readTorn(text, start, end);
    let { hash, length } = this;
    let codeFrom = start;
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      const letter = code | 0x20;
      if (letter >= 97 && letter <= 122) {
        length += 1;
        if (length <= KEY_LENGTH) hash = hashWith(hash, letter);
        continue;
      }
      const kind = code < 128 ? (KINDS[code] ?? PLAIN) : this.takeUnusual(code, text, at, length);
      if (kind === UNSEEN) continue;
      if (length > 0) {
        // What is no word of a chain, and no single letter, is only counted.
        if (length > 1 && this.singles === 0 && !CHAINS.mayKnow(hash)) this.count(length);
        else this.endWord(hash, length, text, at);
        hash = 0;
        length = 0;
      }
      if (kind >= MARK) this.takeMark(code, text, at);
      if (kind === CODE || kind === MARK_OF_CODE) continue;
      if (at - codeFrom >= MIN_CODE || this.code !== '') this.endCode(text, codeFrom, at);
      codeFrom = at + 1;
    }
    this.hash = hash;
    this.length = length;
    this.before += end;
    if (codeFrom < end) this.code += text.slice(codeFrom, end);
    if (this.hasOther) this.otherTexts.push(text.slice(start, end));
    this.hasOther = false;
  }

  /** Ends the word, as a space does. */
  endWordHere(): void {
    if (this.length > 0) this.endWord(this.hash, this.length, '', 0);
    this.hash = 0;
    this.length = 0;
    if (this.code !== '') this.endCode('', 0, 0);
  }

  /** Ends the word, as a paragraph does. */
  breakWord(): void {
    this.endWordHere();
    this.endSingles();
    if (this.otherTexts.length > 0) this.otherTexts.push('\n');
  }

  /** How many letters there have been, each word's end counted as one. */
  get letters(): number {
    return this.track.letters;
  }

  end(): void {
    this.breakWord();
    if (this.otherTexts.length > 0 && OTHER_WORDS.test(plainLetters(this.otherTexts.join('')))) this.isSure = true;
  }

  /** Where a word goes on in a new piece, or one that is seen by others begins: both parts count as words too. */
  private readTorn(text: string, start: number, end: number): void {
    let hash = 0;
    let at = start;
    for (; at < end; at += 1) {
      const letter = text.charCodeAt(at) | 0x20;
      if (letter < 97 || letter > 122) break;
      if (at - start < KEY_LENGTH) hash = hashWith(hash, letter);
    }
    if (at === start) return;
    this.takeWord(this.hash);
    this.takeWord(hash);
  }

  private takeHit(owner: number): void {
    const pattern = PATTERNS[owner];
    if (this.hits.length >= MAX_HITS) this.isSure = true;
    else if (pattern !== undefined) this.hits.push({ pattern, at: this.place });
  }

  private endWord(hash: number, length: number, text: string, at: number): void {
    if (length === 1) {
      this.takeSingle(hash);
      return;
    }
    this.endSingles();
    this.count(length);
    this.takeWord(hash);
    if (hash === END && FRAMED_END.test(text.slice(Math.max(0, at - 6), at))) this.isSure = true;
  }

  private count(length: number): void {
    this.track.words += 1;
    this.track.letters += length + 1;
    if (length > 2) this.digits = 0;
  }

  /** Letters that stand apart may be one word. */
  private takeSingle(letter: number): void {
    if (this.singles < KEY_LENGTH) this.singlesHash = hashWith(this.singlesHash, letter);
    this.singles += 1;
    // For all that it may be one word, it is a word of its own.
    if (this.singles === 1) this.track.words += 1;
    this.track.letters += 1;
    this.takeWord(letter);
  }

  private endSingles(): void {
    if (this.singles >= MANY_SINGLES) this.takeWord(this.singlesHash);
    this.singles = 0;
    this.singlesHash = 0;
  }

  private endCode(text: string, from: number, to: number): void {
    if (this.code.length + to - from >= MIN_CODE) {
      const code = `${this.code}${text.slice(from, to)}`;
      if (code.length >= MIN_HEXADECIMAL && HEXADECIMAL.test(code)) this.lookForCode(code);
      this.lookForPassage(base64Text(code) ?? '');
    }
    this.code = '';
  }

  private lookForCode(text: string): void {
    for (const decoded of encodedTexts(text)) this.lookForPassage(decoded);
  }

  private lookForPassage(decoded: string): void {
    if (decoded === '') return;
    const options = { isAbout: () => false, isConcealed: true };
    if (findPassages(plainLetters(decoded), options).length > 0) this.isSure = true;
  }

  private takeUnusual(code: number, text: string, at: number, length: number): number {
    const next = text.charCodeAt(at + 1);
    const kind = unusualOf(code, next);
    if (kind === 'unseen') {
      if (this.unseen.take(this.before + at)) this.isSure = true;
      return UNSEEN;
    }
    if (kind === 'alarming') this.isSure = true;
    if (kind === 'odd' || (kind !== 'boundary' && (length > 0 || isLetter(next)))) this.takeDisguised(text, at);
    if (kind === 'letter') this.hasOther = true;
    return PLAIN;
  }

  /** A word of letters that are not all what they look like is taken for what it looks like too. */
  private takeDisguised(text: string, at: number): void {
    const before =
      /[\p{L}\p{M}\p{N}\p{So}\p{Cf}\p{Cs}]*$/u.exec(text.slice(Math.max(0, at - MAX_DISGUISED), at))?.[0] ?? '';
    const after = /^[\p{L}\p{M}\p{N}\p{So}\p{Cf}\p{Cs}]*/u.exec(text.slice(at, at + MAX_DISGUISED))?.[0] ?? '';
    for (const [word] of plainLetters(before + after).matchAll(/[a-z]{2,40}/g)) this.takeWord(hashOf(word));
  }

  private takeMark(code: number, text: string, at: number): void {
    if (code >= 48 && code <= 57) {
      this.takeDigit(code, text, at);
      return;
    }
    switch (code) {
      case COMMA:
      case COLON:
      case DASH:
      case AT_SIGN:
      case DOLLAR:
        this.takeWord(code);
        return;
      case EXCLAMATION:
        this.takeWord(code);
        this.lookForDigits(text, at);
        return;
      case PLUS:
        if (/\d/.test(text[at + 1] ?? '')) this.takeWord(AT_SIGN);
        return;
      case SLASH:
        if (text.startsWith('10/10', at - 2)) this.takeWord(TENS);
        return;
      case EQUALS:
        this.lookForAddress(text, at);
        return;
      case PERCENT:
      case BACKSLASH:
        this.takeEscape(text, at);
        return;
      case NUMBER_SIGN:
        if (text[at + 1] === '1') this.takeWord(NUMBER_ONE);
    }
    if (code < 32 || code === 127 || OPENING.test(text.slice(at, at + OPENING_LENGTH))) this.isSure = true;
  }

  private takeWord(hash: number): void {
    CHAINS.see(hash, this.track, this.onWhole);
  }

  private takeDigit(code: number, text: string, at: number): void {
    this.digits += 1;
    const isBesideLetter = isLetter(text.charCodeAt(at - 1)) || isLetter(text.charCodeAt(at + 1));
    if (isBesideLetter && ACCOUNT_START.test(text.slice(Math.max(0, at - 3), at + 2))) this.takeWord(ACCOUNT);
    if (isBesideLetter && code < 53) this.lookForDigits(text, at);
    if (this.digits < MANY_DIGITS) return;
    this.digits = 0;
    const around = text.slice(Math.max(0, at - CODE_NEAR), at + CODE_NEAR);
    if (HEXADECIMAL.test(around)) this.lookForCode(around);
  }

  /** Digits in the place of letters. */
  private lookForDigits(text: string, at: number): void {
    if (!isLetter(text.charCodeAt(at - 1)) && !isLetter(text.charCodeAt(at + 1))) return;
    if (DIGIT_PIECE.test(text.slice(Math.max(0, at - 8), at + 8).toLowerCase())) this.isSure = true;
  }

  private takeEscape(text: string, at: number): void {
    if (at < this.escapesEnd && at >= this.escapesStart) return;
    if (!/^(?:\\x[\da-f]|\\u00|%[\da-f]{2})/i.test(text.slice(at, at + 4))) return;
    if (at - this.escapeAt > CODE_NEAR || at < this.escapeAt) this.escapes = 0;
    if (this.escapes === 0) this.escapesStart = at;
    this.escapeAt = at;
    this.escapes += 1;
    if (this.escapes < MANY_ESCAPES) return;
    // What is looked at now is not looked at again.
    this.escapesEnd = at + LONG_CODE;
    this.escapes = 0;
    this.lookForCode(text.slice(Math.max(0, this.escapesStart - CODE_NEAR), this.escapesEnd + CODE_NEAR));
  }

  /** An address that is to be filled. */
  private lookForAddress(text: string, at: number): void {
    if (!/[{[<%$]/.test(text[at + 1] ?? '')) return;
    if (!FILLING.test(text.slice(at, at + 40))) return;
    if (/https?:\/\/\S*$/i.test(text.slice(Math.max(0, at - CODE_NEAR), at))) this.isSure = true;
  }
}

/** What begins one of the marks by which models tell who speaks, or a link in Markdown. */
const OPENING = new RegExp(
  `^(?:${ROLE_TAG}|<\\||<<s|\\[(?:system|admin|developer|/?inst)|##{0,2} ?(?:instr|system|assist|new)|\\]\\((?:https?:)?//\\S{0,300}?(?:[{[<$]|%7b|%%|__))`,
  'i',
);
const OPENING_LENGTH = 340;
const FILLING = /secret|conversation|chat|system|password|api|credential|user|private|stolen|memory|base64/i;
const HEXADECIMAL = /[\da-f]{2}(?:[\s:]?[\da-f]{2}){23}/i;
const ACCOUNT_START = /0x$|(?:^|[^a-z])[a-z]{2}\d\d$/i;
/** `--- end`, `[end`. */
const FRAMED_END = /(?:==|--|<<|\*\*|\[|##) ?end$/i;

function isLetter(code: number): boolean {
  const letter = code | 0x20;
  return letter >= 97 && letter <= 122;
}
