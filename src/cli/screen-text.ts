import { terminalText } from './terminal-text.ts';

/** How a piece of a line looks, where a terminal has colours. */
export type TextLook = 'bad' | 'warn' | 'good' | 'calm' | 'faint' | 'strong';

export interface ScreenSpan {
  readonly text: string;
  readonly look?: TextLook;
}

export type ScreenLine = readonly ScreenSpan[];

const CODES: Readonly<Record<TextLook, string>> = {
  bad: '31',
  warn: '33',
  good: '32',
  calm: '35',
  faint: '2',
  strong: '1',
};

/** Characters that take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NARROW = /^(?:\p{M}|[\u200b-\u200d])$/u;

/** A line without looks, of any length. */
export function withoutLooks(line: ScreenLine): string {
  return line
    .map(({ text }) => oneLine(text))
    .join('')
    .trimEnd();
}

/** A line that fits into `columns` columns, with colours if they are wanted. The rest is cut. */
export function screenText(line: ScreenLine, { columns, hasColour }: ScreenShape): string {
  let left = columns;
  let written = '';
  for (const { text, look } of line) {
    const whole = oneLine(text);
    const [cut, width] = fitting(whole, left);
    // Behind what was cut nothing more is shown.
    left = cut === whole ? left - width : 0;
    written += look !== undefined && hasColour && cut !== '' ? `\x1b[${CODES[look]}m${cut}\x1b[0m` : cut;
  }
  return written;
}

export interface ScreenShape {
  readonly columns: number;
  readonly hasColour: boolean;
}

/** Nothing of it moves the cursor or begins another line. */
function oneLine(text: string): string {
  return terminalText(text.replace(/[\t\n\r\u2028\u2029]+/g, ' '));
}

function fitting(text: string, columns: number): readonly [string, number] {
  let width = 0;
  let cut = '';
  for (const character of text) {
    const wide = NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
    if (width + wide > columns) break;
    width += wide;
    cut += character;
  }
  return [cut, width];
}
