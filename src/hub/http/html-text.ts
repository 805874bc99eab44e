import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Characters that are invisible or move the text around them: controls, direction marks, fillers, tags, lone surrogates. Joiners and variation selectors stay,
 * because emoji and whole scripts need them.
 */
const ODD = /(?!\u200C|\u200D|[\uFE00-\uFE0F])[\p{DI}\p{Bidi_Control}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\uFFF9-\uFFFB]/gu;
/** More marks on one letter than any script uses would cover the lines around it. */
const MARK_TOWERS = /(\p{M}{4})\p{M}+/gu;

/** Longer addresses are shown without a link. */
const MAX_LINK = 4096;

/** Escapes text for HTML content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Untrusted text for display: on one line, at most `maxCharacters` long, with invisible characters made visible, and isolated so that its direction affects
 * nothing else.
 */
export function foreignText(text: string, maxCharacters: number): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .replace(/[\t\n\r ]+/g, ' ')
    .trim();
  const characters = Array.from(line.replace(MARK_TOWERS, '$1'));
  const cut = characters.length > maxCharacters ? [...characters.slice(0, maxCharacters), '…'] : characters;
  const shown = escapeHtml(cut.join('')).replace(ODD, (odd) => `<span class="odd">${codeName(odd)}</span>`);
  return `<bdi>${shown}</bdi>`;
}

/** Untrusted text of several lines: keeps lines and tabs, and makes invisible characters visible. The caller isolates its direction. */
export function foreignLines(text: string): string {
  const lines = text.replace(MARK_TOWERS, '$1').replace(/\r\n?/g, '\n');
  return escapeHtml(lines).replace(ODD, (odd) =>
    odd === '\n' || odd === '\t' ? odd : `<span class="odd">${codeName(odd)}</span>`,
  );
}

/** A link if the address is a web address, else only the text. The target does not learn the referrer. */
export function foreignLink(address: string, html: string): string {
  const href = linkAddress(address);
  if (href === undefined) return html;
  return `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${html}</a>`;
}

/** An address that is safe to link to: a web address without a user name or password. */
export function linkAddress(address: string, base?: string): string | undefined {
  if (address.length > MAX_LINK || !canParseUrl(address, base)) return undefined;
  const url = new URL(address, base);
  const isPlain = url.username === '' && url.password === '';
  return isPlain && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}

function codeName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
