import { encodedTexts } from './encoded-texts.ts';
import { ENGLISH_PATTERNS } from './english-patterns.ts';
import { OTHER_PATTERNS } from './other-patterns.ts';
import { DIGIT_PIECE } from './plain-letters.ts';
import { ChainFinder, ChainTrack, hashOf, hashWith, KEY_LENGTH } from './word-chains.ts';

const CHAINS = new ChainFinder([...ENGLISH_PATTERNS, ...OTHER_PATTERNS].flatMap(({ chains = [] }) => chains));

/** Marks that patterns need as they need words; see word-chains.ts. */
const MARK_WORDS = { at: hashOf('@'), dollar: hashOf('$'), numberOne: hashOf('one'), tens: hashOf('tens') };
const END = hashOf('end');

const MIN_CODE = 32;
const MANY_DIGITS = 24;
const MANY_ESCAPES = 12;
const MANY_SINGLES = 6;
/** Around a mark, to see whether it is one of a pattern. */
const NEAR = 24;
const CODE_NEAR = 400;

/**
 * A quick look at a text: whether a pattern, a code or an unseen character may be found in it at all. Says yes too often, and no
 * only where examineRisk finds nothing.
 *
 * Pieces may be given one by one; a word goes on in the next piece, unless {@link breakWord} is called between.
 */
export class TextSurvey {
  isSuspicious = false;
  private readonly track = new ChainTrack(CHAINS.stepCount);
  /** The word that is being read, and what of it stands in the last piece. */
  private hash = 0;
  private length = 0;
  private pieceHash = 0;
  private pieceLength = 0;
  private singles = 0;
  private digits = 0;
  private escapes = 0;
  private codeLength = 0;
  private readonly unseen = new UnseenCharacters();

  /** A part of a text. */
  read(text: string, start: number, end: number): void {
    if (this.isSuspicious) return;
    if (this.length > 0) this.joinPieces(text.charCodeAt(start));
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      const letter = code | 0x20;
      if (letter >= 97 && letter <= 122) {
        this.length += 1;
        this.pieceLength += 1;
        if (this.length <= KEY_LENGTH) this.hash = (Math.imul(this.hash, 31) + letter) | 0;
        if (this.pieceLength <= KEY_LENGTH) this.pieceHash = (Math.imul(this.pieceHash, 31) + letter) | 0;
      } else {
        this.takeOther(text, at, code);
      }
    }
  }
}
