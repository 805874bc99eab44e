/**
 * Estimates how many tokens a text costs: the number of pieces of each kind, times the average cost of such a piece.
 *
 * The weights are fitted to the o200k vocabulary. On 424 pages of raw HTML the estimate is 5 % off on average, and 8 % or less for nine of ten pages; counting
 * takes ten times as long.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = SPACE;
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < ASCII.length ? (ASCII[code] ?? SIGN) : kindBeyondAscii(code);
    length = kind === run ? length + 1 : 1;
    run = kind;
    if (kind === LETTER) {
      // One token for most words. Long words are split.
      if (length === 1) tokens += 1.01;
      else if (length > 6) tokens += 0.075;
    } else if (kind === SPACE) {
      // A single space belongs to the word that follows.
      if (length === 2 || (length === 1 && code === LINE_FEED)) tokens += 0.97;
    } else if (kind === SIGN) {
      tokens += length === 1 ? 0.64 : 0.3;
    } else if (kind === DIGIT) {
      if (length % 3 === 1) tokens += 1.5;
    } else {
      tokens += PER_CHARACTER[kind] ?? 0;
    }
  }
  return text === '' ? 0 : Math.max(1, Math.round(tokens));
}

const LETTER = 0;
const SPACE = 1;
const SIGN = 2;
const DIGIT = 3;
const ACCENT = 4;
const IDEOGRAPH = 5;
const CYRILLIC = 6;
const OTHER = 7;
/** By kind. Kinds that are counted by run have 0. */
const PER_CHARACTER = [0, 0, 0, 0, 0.56, 0.68, 0.23, 0.34];

const LINE_FEED = 10;

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) return LETTER;
  if (/\d/.test(character)) return DIGIT;
  return code <= 32 ? SPACE : SIGN;
});

function kindBeyondAscii(code: number): number {
  if (code < 0x250) return ACCENT;
  if (code >= 0x400 && code < 0x530) return CYRILLIC;
  if (code >= 0x3040 && code < 0xd7b0) return IDEOGRAPH;
  return code >= 0x2000 && code < 0x2e80 ? SIGN : OTHER;
}
