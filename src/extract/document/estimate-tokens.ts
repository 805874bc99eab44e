/**
 * How many tokens a text costs, near enough: pieces of each kind, times what a piece costs on average.
 *
 * The weights are fitted to the o200k vocabulary on 222 texts, half of them raw HTML and half the words of the same
 * pages: 4 % off on average, 11 % in the worst twentieth.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run: Kind = 'space';
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (ASCII[code] ?? 'sign') : kindBeyondAscii(code);
    length = kind === run ? length + 1 : 1;
    run = kind;
    tokens += costOf(kind, length, code);
  }
  return Math.round(tokens);
}

type Kind = 'letter' | 'digit' | 'space' | 'sign' | 'accent' | 'ideograph' | 'cyrillic' | 'other';

const LINE_FEED = 10;

function costOf(kind: Kind, length: number, code: number): number {
  switch (kind) {
    case 'letter':
      // One token for most words; long ones are cut.
      return length === 1 ? 1.01 : length > 6 ? 0.075 : 0;
    case 'digit':
      return length % 3 === 1 ? 1.5 : 0;
    case 'sign':
      return length === 1 ? 0.64 : 0.3;
    case 'space':
      // A single space belongs to the word that follows.
      return length === 2 || (length === 1 && code === LINE_FEED) ? 0.97 : 0;
    case 'accent':
      return 0.56;
    case 'ideograph':
      return 0.68;
    case 'cyrillic':
      return 0.23;
    case 'other':
      return 0.34;
  }
}

const ASCII: readonly Kind[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) return 'letter';
  if (/\d/.test(character)) return 'digit';
  return code <= 32 ? 'space' : 'sign';
});

function kindBeyondAscii(code: number): Kind {
  if (code < 0x250) return 'accent';
  if (code >= 0x400 && code < 0x530) return 'cyrillic';
  if (code >= 0x3040 && code < 0xd7b0) return 'ideograph';
  return code >= 0x2000 && code < 0x2e80 ? 'sign' : 'other';
}
