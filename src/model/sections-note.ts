/**
 * The part of a note that names the sections inside a page event, so that a reader needs to fetch only those:
 *
 *     section-removed; sections changed=tiers,limits added=faq removed=old-tiers
 *     many-sections; sections changed=a,b,c more=12
 *
 * Names are in page order. Characters that would end a name early are percent-escaped: white space, `,`, `=`, `;` and `%`.
 * `more` counts further sections that are not named; only the whole page contains them all.
 */
export interface SectionNames {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface NotedSections extends SectionNames {
  /** How many more sections there are that are not named. */
  readonly more: number;
}

const START = 'sections ';
const BETWEEN_PARTS = '; ';
const MAX_NAMED = 50;
/** Of all written names together. */
const MAX_LENGTH = 2000;
/** A longer note was not written by Tidings. */
const MAX_NOTE = 20_000;
const KEYS = ['changed', 'added', 'removed'] as const;
const UNSAFE = /[\s\p{Cc},=;%]/gu;
const WRITTEN = /^sections(?: changed=([^\s=]+))?(?: added=([^\s=]+))?(?: removed=([^\s=]+))?(?: more=(\d{1,9}))?$/;

/** Undefined if there is no section to name. */
export function encodeSectionsNote(names: SectionNames): string | undefined {
  const words: string[] = [];
  let [named, length, more] = [0, 0, 0];
  for (const key of KEYS) {
    const kept: string[] = [];
    for (const name of names[key]) {
      const written = escaped(name);
      const hasRoom = more === 0 && named < MAX_NAMED && length + written.length <= MAX_LENGTH;
      if (!hasRoom) {
        more += 1;
        continue;
      }
      kept.push(written);
      named += 1;
      length += written.length;
    }
    if (kept.length > 0) words.push(`${key}=${kept.join(',')}`);
  }
  if (more > 0) words.push(`more=${more}`);
  return words.length === 0 ? undefined : START + words.join(' ');
}

/**
 * The sections that a note names; undefined if it names none or is not in this form.
 *
 * @example
 * decodeSectionsNote('section-removed; sections removed=old-tiers'); // { changed: [], added: [], removed: ['old-tiers'], more: 0 }
 */
export function decodeSectionsNote(note: string | undefined): NotedSections | undefined {
  if (note === undefined || note.length > MAX_NOTE) return undefined;
  const part = note.split(BETWEEN_PARTS).find((one) => one.startsWith(START));
  const found = part === undefined ? null : WRITTEN.exec(part);
  if (found === null) return undefined;
  const [changed, added, removed] = found.slice(1, KEYS.length + 1).map(unescapedNames);
  if (changed === undefined || added === undefined || removed === undefined) return undefined;
  const more = Number(found.at(-1) ?? 0);
  const named = changed.length + added.length + removed.length;
  return named > MAX_NAMED || named + more === 0 ? undefined : { changed, added, removed, more };
}

function escaped(name: string): string {
  return name.toWellFormed().replace(UNSAFE, encodeURIComponent);
}

function unescapedNames(list: string | undefined): string[] | undefined {
  try {
    return (list ?? '').split(',').filter(Boolean).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
