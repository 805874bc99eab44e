import { type HtmlInline, oldAndNew } from '../codecs/atom/html.ts';
import { decodeSectionsNote } from '../model/sections-note.ts';
import { decodeTermsNote } from '../model/terms-note.ts';
import { nameOfAnchor, shownText } from './shown-text.ts';

/** The notes of a page comparison in words for people. Empty ones are clear from the place of the change. */
const WORDS: Readonly<Record<string, string>> = {
  'new-page': '',
  'new-section': '',
  'text-edit': '',
  'section-removed': 'a section was removed',
  'title-changed': 'the title changed',
  'preamble-changed': 'the introduction changed',
  'many-sections': 'many sections changed',
  reordered: 'sections were moved',
  're-read': 'its text was read anew',
};
const RENAMED = /^anchor-renamed: (.+) -> (.+)$/;
const MOVED = /^moved-(from|to)=(\S+)$/;
const RENAMED_MORE = /^anchors-renamed: (\d+) more$/;
const MAX_NAME = 100;
const MAX_NAMES = 10;
const MAX_NOTE = 200;

/** The words of a note, part by part. Notes from other publishers are shown unchanged. */
export function noteWords(note: string): HtmlInline[][] {
  if (note.trim() === '') return [];
  const parts = note.split('; ');
  const told = parts.map(wordsOf);
  return told.every((words) => words !== undefined)
    ? told.filter((words) => words.length > 0)
    : [[shownText(note, MAX_NOTE)]];
}

function wordsOf(part: string): HtmlInline[] | undefined {
  if (Object.hasOwn(WORDS, part)) return WORDS[part] === '' ? [] : [WORDS[part] ?? ''];
  const [, from, to] = RENAMED.exec(part) ?? [];
  if (from !== undefined && to !== undefined) {
    return ['a section has another name: ', ...oldAndNew(nameOfAnchor(from, MAX_NAME), nameOfAnchor(to, MAX_NAME))];
  }
  const terms = decodeTermsNote(part);
  if (terms !== undefined) return [termsWords(part, terms.isOfSite)];
  const [, way, other] = MOVED.exec(part) ?? [];
  if (other !== undefined) return [`moved ${way} ${shownText(other, MAX_NOTE)}`];
  const [, count] = RENAMED_MORE.exec(part) ?? [];
  return count === undefined ? wordsOfSections(part) : [`${count} more sections have other names`];
}

/** The use names in the note are short enough for people, too. */
function termsWords(part: string, isOfSite: boolean): string {
  const said = part.replace(/^terms (?:site )?/, '').replaceAll('>', ' → ');
  return `${isOfSite ? 'the site says' : 'it says'} otherwise what it may be used for: ${said}`;
}

function wordsOfSections(part: string): HtmlInline[] | undefined {
  const noted = decodeSectionsNote(part);
  if (noted === undefined) return undefined;
  const { changed, added, removed, more } = noted;
  const told = [...named('changed', changed), ...named('new', added), ...named('removed', removed)];
  return [[...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')];
}

function named(word: string, anchors: readonly string[]): string[] {
  if (anchors.length === 0) return [];
  const names = anchors.slice(0, MAX_NAMES).map((anchor) => nameOfAnchor(anchor, MAX_NAME));
  const others = anchors.length > MAX_NAMES ? ` and ${anchors.length - MAX_NAMES} more` : '';
  return [`${word}: ${names.join(', ')}${others}`];
}
