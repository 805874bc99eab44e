import { decodeUses, type UseName, type Uses } from './uses.ts';

/**
 * The note of a change of terms: which answers are others now, and what they were.
 *
 *     terms ai-train=unknown>no
 *     terms site search=yes>no ai-input=no>unknown
 *
 * With `site`, it is told once for all pages of a site that share it. What else happened to the page stands behind it: `terms ai-train=yes>no; title-changed`.
 */
export interface TermsNote {
  /** It is not this page's alone. */
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
 * What a note says of the terms of a page; undefined where it says nothing of them. Only the answers that are others are in it.
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
