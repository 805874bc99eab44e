/** Invisible characters, including tags, variation selectors and direction marks. */
const UNSEEN =
  /\u034F|[\u17B4\u17B5]|[\u180B-\u180D]|[\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\uFE00-\uFE0F]|\u{1D173}|[\u{E0000}-\u{E0FFF}]/gu;

const CONFUSABLE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аα',
    b: 'Ьв',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еεё',
    g: 'ɡ',
    h: 'һ',
    i: 'іιїı',
    j: 'ј',
    k: 'кκ',
    l: 'ӏ',
    m: 'м',
    n: 'ոη',
    o: 'оοσ',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ',
    t: 'тτ',
    u: 'υս',
    v: 'νѵ',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγ',
    z: 'ᴢ',
  }).flatMap(([plain, others]) => [...others].map((other): [string, string] => [other, plain])),
);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const CONTROLS = /[\u0000-\u0008\u000E-\u001F\u007F]/g;

const MIXED = /[a-z][\u0250-\u052F\u0570-\u058F]|[\u0250-\u052F\u0570-\u058F][a-z]/;
const MIXED_WORD = /[a-z\u0250-\u052F\u0570-\u058F]{3,40}/g;

const DIGIT_LETTERS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
/** Parts of the patterns' words with digits in them. Other words with digits are numbers and names. */
export const DIGIT_PIECE =
  /[1!]gn[o0]r|gn0r|nstruct[1!]|[1!]nstruct|pr[e3]v[1!]|pr3v|f0rg|d[1!]sreg|pr0mp|syst3m|4ss[1i!]st|pas+w0rd/;
const DIGIT_WORD = /[a-z013457@$!]{4,20}/g;

/** Six or more separated letters: `i g n o r e`, `i-g-n-o-r-e`. */
const SPACED = /(?<![a-z\d])[a-z](?:[ .*_-][a-z](?![a-z\d])){5,80}/g;

/** Normalizes a text for patterns: lower case, without invisible characters, and with plain letters instead of lookalikes. Marks of code and quotation stay. */
export function plainLetters(text: string): string {
  let plain = text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what needs no more than lower case.
  if (/[^\x00-\x7F]/.test(plain)) plain = plain.replace(UNSEEN, '').normalize('NFKC');
  plain = plain.toLowerCase().replace(CONTROLS, '');
  if (MIXED.test(plain)) plain = plain.replace(MIXED_WORD, (word) => (MIXED.test(word) ? unconfused(word) : word));
  if (DIGIT_PIECE.test(plain))
    plain = plain.replace(DIGIT_WORD, (word) => (/[a-z]/.test(word) ? withLetters(word) : word));
  return plain
    .replace(SPACED, (letters) => letters.replace(/[ .*_-]/g, ''))
    .replace(/[‘’ʼ]/g, "'")
    .replace(/ [^\S\n]+|[^\S\n ][^\S\n]*/g, ' ');
}

function unconfused(word: string): string {
  return Array.from(word, (letter) => CONFUSABLE.get(letter) ?? letter).join('');
}

function withLetters(word: string): string {
  return word.replace(/[013457@$!](?=[a-z013457@$!]|$)/g, (digit) => DIGIT_LETTERS[digit] ?? digit);
}
