import { pathOf, readPathGlob } from '../../extract/rules/path-glob.ts';
import type { Change } from '../../model/change.ts';

/** Per text; longer texts are hardly searched by their end. */
const MOST_CHARACTERS = 2000;
const MOST_PATH_WORDS = 100;
const MOST_WORDS = 100;

/** Each letter of a writing without spaces is a word; a longer word than 40 characters is several. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]{1,40}/gu;

/** The words of a text as an index has them: each once, without case and accents. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .slice(0, MOST_CHARACTERS)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
  return [...new Set(plain.match(WORD) ?? [])];
}

/** The words by which a change is found: those of its path first. */
export function changeWords({ url, title = '', heading = '', summary = '' }: Change): readonly string[] {
  const path = pathWords(url).slice(0, MOST_PATH_WORDS);
  const said = new Set([title, heading, summary].flatMap(wordsOf));
  return [...new Set([...path, ...[...said].slice(0, MOST_WORDS)])];
}

/** The words that every path has that a glob means. */
export function globWords(glob: string): readonly string[] {
  const read = readPathGlob(glob);
  const fixed = read.ok ? read.value.segments.filter((segment) => !/[*?]/.test(segment)) : [];
  return [...new Set(fixed.flatMap(wordsOf))];
}

function pathWords(url: string): readonly string[] {
  return [...new Set((pathOf(url)?.segments ?? []).flatMap(wordsOf))];
}
