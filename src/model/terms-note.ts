import { decodeUses, type UseName, type Uses } from './uses.ts';

/**
 * The note of a change of terms: which answers changed, and what they were before.
 *
 *     terms ai-train=unknown>no
 *     terms site search=yes>no ai-input=no>unknown
 *
 * `site` means that the change is reported once for all pages of the site that share it. Other notes about the page follow: `terms ai-train=yes>no;
 * title-changed`.
 */
export interface TermsNote {
  /** The change applies to the whole site, not only to this page. */
  readonly isOfSite: boolean;
  readonly before: Uses;
  readonly after: Uses;
}

const NAMES: readonly UseName[] = ['search', 'ai-input', 'ai-train'];
const UNKNOWN = 'unknown';
const WRITTEN = /^terms( site)?((?: [a-z-]+=(?:yes|no|unknown)>(?:yes|no|unknown))+)$/;
const MAX_NOTE = 20_000;

export function encodeTermsNote({ isOfSite, before, after }: TermsNote): string {
  const words = NAMES.filter((name) => before[name] !== after[name]).map(
    (name) => `${name}=${before[name] ?? UNKNOWN}>${after[name] ?? UNKNOWN}`,
  );
  return ['terms', ...(isOfSite ? ['site'] : []), ...words].join(' ');
}

/**
 * Reads the terms from a note; undefined if the note is not about terms. The result contains only the answers that changed.
 *
 * @example
 * decodeTermsNote('terms ai-train=yes>no'); // { isOfSite: false, before: { 'ai-train': 'yes' }, after: { 'ai-train': 'no' } }
 */
export function decodeTermsNote(note: string | undefined): TermsNote | undefined {
  if (note === undefined || note.length > MAX_NOTE) return undefined;
  const [, site, words] = WRITTEN.exec(note.split('; ')[0] ?? '') ?? [];
  if (words === undefined) return undefined;
  return {
    isOfSite: site !== undefined,
    before: decodeUses(words.replaceAll(/>[a-z]+/g, '').trim()),
    after: decodeUses(words.replaceAll(/=[a-z]+>/g, '=').trim()),
  };
}
