/** What a character beyond ASCII means in a survey. */
export type Unusual =
  /** The end of a word. */
  | 'boundary'
  /** Invisible: a word continues after it. */
  | 'unseen'
  /** A letter that may replace a Latin one among others. */
  | 'lookalike'
  /** A letter of a script that has its own patterns. */
  | 'letter'
  /** Another way to write a Latin letter. */
  | 'odd'
  /** Does not belong in a text. */
  | 'alarming';

type Range = readonly [first: number, last: number, kind: Unusual];

/** By code unit. Missing ones are boundaries. */
const RANGES: readonly Range[] = [
  [0x00aa, 0x00aa, 'lookalike'],
  [0x00ad, 0x00ad, 'unseen'],
  [0x00ba, 0x00ba, 'lookalike'],
  [0x017f, 0x017f, 'odd'],
  [0x0250, 0x02ff, 'lookalike'],
  [0x034f, 0x034f, 'unseen'],
  [0x0370, 0x03ff, 'lookalike'],
  [0x0400, 0x052f, 'letter'],
  [0x0570, 0x058f, 'lookalike'],
  [0x0600, 0x061b, 'letter'],
  [0x061c, 0x061c, 'unseen'],
  [0x061d, 0x06ff, 'letter'],
  [0x0900, 0x097f, 'letter'],
  [0x115f, 0x1160, 'unseen'],
  [0x17b4, 0x17b5, 'unseen'],
  [0x180b, 0x180e, 'unseen'],
  [0x1d2c, 0x1dbf, 'odd'],
  [0x200b, 0x200f, 'unseen'],
  [0x202a, 0x202c, 'unseen'],
  [0x202d, 0x202e, 'alarming'],
  [0x2060, 0x206f, 'unseen'],
  [0x2071, 0x2071, 'odd'],
  [0x207f, 0x207f, 'lookalike'],
  [0x2090, 0x209c, 'odd'],
  [0x2100, 0x2115, 'odd'],
  [0x2117, 0x211f, 'odd'],
  [0x2123, 0x214f, 'odd'],
  [0x2160, 0x217f, 'lookalike'],
  [0x249c, 0x24e9, 'odd'],
  [0x3040, 0x30ff, 'letter'],
  [0x3164, 0x3164, 'unseen'],
  [0x3400, 0x9fff, 'letter'],
  [0xac00, 0xd7af, 'letter'],
  [0xd834, 0xd834, 'alarming'],
  [0xd835, 0xd835, 'odd'],
  [0xdb40, 0xdb40, 'alarming'],
  [0xfb00, 0xfb06, 'odd'],
  [0xfe00, 0xfe0f, 'unseen'],
  [0xfeff, 0xfeff, 'unseen'],
  [0xff21, 0xff3a, 'odd'],
  [0xff41, 0xff5a, 'odd'],
  [0xffa0, 0xffa0, 'unseen'],
  [0xfff9, 0xfffb, 'unseen'],
];
const STARTS = Int32Array.from(RANGES, ([first]) => first);

/** The kind of a code unit beyond ASCII, given the next one. */
export function unusualOf(code: number, next: number): Unusual {
  // Letters in circles and boxes.
  if (code === 0xd83c) return next >= 0xdd10 && next <= 0xdd69 ? 'odd' : 'boundary';
  let [low, high] = [0, STARTS.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((STARTS[middle] ?? 0) > code) high = middle;
    else low = middle + 1;
  }
  const range = RANGES[low - 1];
  return range !== undefined && code <= range[1] ? range[2] : 'boundary';
}

const MANY_IN_A_ROW = 4;
const MANY_GAPS = 3;

/** Counts invisible characters: a few are harmless, but a row of them, or one between every two letters, is not. */
export class UnseenCount {
  #lastAt = -2;
  #row = 0;
  #gaps = 0;

  /** Whether there are too many, including the one at this place. */
  take(at: number): boolean {
    const distance = at - this.#lastAt;
    this.#row = distance === 1 ? this.#row + 1 : 1;
    if (distance === 2) this.#gaps += 1;
    else if (distance !== 1) this.#gaps = 1;
    this.#lastAt = at;
    return this.#row >= MANY_IN_A_ROW || this.#gaps >= MANY_GAPS;
  }

  restart(): void {
    this.#lastAt = -2;
  }
}
