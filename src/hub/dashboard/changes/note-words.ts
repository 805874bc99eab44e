import { decodeSectionsNote } from '../../../model/sections-note.ts';
import { decodeTermsNote } from '../../../model/terms-note.ts';
import type { UseName, Uses } from '../../../model/uses.ts';

const MAX_NOTE = 20_000;

/** What a hint for machines means, for people. */
const HINTS: Readonly<Record<string, string>> = {
  'text-edit': 'The words of the section are others than at the look before.',
  'new-section': 'The section was not there at the look before.',
  'new-page': 'The page was not known before.',
  'section-removed': 'A section is gone.',
  'title-changed': 'The page has another title.',
  'preamble-changed': 'What stands before the first heading is another.',
  'many-sections': 'At least half of its sections are others.',
  reordered: 'Its sections stand in another order.',
  're-read': 'It was read by other rules than before, so that it can only be told as a whole.',
  'soft-404': 'The page is still answered, but says that it is not there.',
  'section-deleted': 'A section is gone.',
};

/** A note as sentences; unknown notes are shown unchanged. */
export function noteSentences(note: string): string[] {
  const parts = note.slice(0, MAX_NOTE).split('; ');
  return parts.filter((part) => part !== '').map(sentenceOf);
}

function sentenceOf(part: string): string {
  const hint = Object.hasOwn(HINTS, part) ? HINTS[part] : undefined;
  if (hint !== undefined) return hint;
  const [, from, to] = /^anchor-renamed: (.+) -> (.+)$/s.exec(part) ?? [];
  if (from !== undefined) return `The section “${from}” is called “${to}” now.`;
  const [, way, address] = /^moved-(from|to)=(.+)$/s.exec(part) ?? [];
  if (address !== undefined) return way === 'to' ? `It is at ${address} now.` : `It was at ${address} before.`;
  return sectionsSentence(part) ?? termsSentence(part) ?? part;
}

function sectionsSentence(part: string): string | undefined {
  const sections = decodeSectionsNote(part);
  if (sections === undefined) return undefined;
  const { changed, added, removed, more } = sections;
  const said = [
    ...(changed.length > 0 ? [`changed: ${changed.join(', ')}`] : []),
    ...(added.length > 0 ? [`added: ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed: ${removed.join(', ')}`] : []),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  return `Sections ${said.join('; ')}.`;
}

function termsSentence(part: string): string | undefined {
  const terms = decodeTermsNote(part);
  if (terms === undefined) return undefined;
  const names = USE_NAMES.filter((name) => terms.before[name] !== terms.after[name]);
  const said = names.map(
    (name) => `${USES[name]}: ${terms.after[name] ?? 'unsaid'}, before ${terms.before[name] ?? 'unsaid'}`,
  );
  return `Its publisher says otherwise of its use${terms.isOfSite ? ', and of that of the whole site' : ''}: ${said.join('; ')}.`;
}

const USES: Readonly<Record<UseName, string>> = {
  search: 'search',
  'ai-input': 'input of models',
  'ai-train': 'training of models',
};
const USE_NAMES = Object.keys(USES) as UseName[];

/** `search: yes, training of models: no`. */
export function usesWords(uses: Uses): string {
  const said = USE_NAMES.filter((name) => uses[name] !== undefined);
  return said.map((name) => `${USES[name]}: ${uses[name]}`).join(', ') || 'nothing is said';
}
