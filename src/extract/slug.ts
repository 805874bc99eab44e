import { hash } from 'node:crypto';
import { normalizeText } from './fingerprint.ts';

const MAX_LENGTH = 80;
/** Selectors for showing a symbol in colour or as text. Nobody can type them. */
const SHOWN_AS = /[\uFE0E\uFE0F]/g;

/**
 * A heading as a section key: letters and digits of any script, lower case, the rest as single hyphens.
 *
 * A heading of symbols only gets a key from its code points, so that it is stable and never empty.
 */
export function slugOf(heading: string): string {
  const text = normalizeText(heading).replace(SHOWN_AS, '').toLowerCase();
  const slug = text.replace(/[^\p{L}\p{N}\p{M}]+/gu, '-').replace(/^-|-$/g, '');
  if (slug === '') return `symbol-${hash('sha256', text.replace(/\s+/g, ''), 'hex').slice(0, 8)}`;
  if (slug.length <= MAX_LENGTH) return slug;
  return `${[...slug].slice(0, MAX_LENGTH - 9).join('')}-${hash('sha256', slug, 'hex').slice(0, 8)}`;
}
