import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * What a reader cannot see, or what moves the text around it: controls, direction marks, fillers, tags, lone surrogates.
 * Joiners and variation selectors stay: emoji and whole scripts are written with them.
 */
const ODD = /(?!\u200C|\u200D|[\uFE00-\uFE0F])[\p{DI}\p{Bidi_Control}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\uFFF9-\uFFFB]/gu;
/** More marks on one letter than any script puts there reach into the lines around it. */
const MARK_TOWERS = /(\p{M}{4})\p{M}+/gu;

/** Longer addresses are shown, and lead nowhere. */
const MAX_LINK = 4096;

/** Text as HTML text or as the value of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Text from outside, to be shown: on one line, no longer than `maxCharacters`, with what is invisible made visible, and isolated so
 * that its direction stays its own.
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

/** Text of several lines from outside: its lines and tabs stay, what is invisible is made visible. Who shows it gives it a direction of its own. */
export function foreignLines(text: string): string {
  const lines = text.replace(MARK_TOWERS, '$1').replace(/\r\n?/g, '\n');
  return escapeHtml(lines).replace(ODD, (odd) =>
    odd === '\n' || odd === '\t' ? odd : `<span class="odd">${codeName(odd)}</span>`,
  );
}

/** A link where the address is one of the web, else only its words. Where it leads is not told where it comes from. */
export function foreignLink(address: string, html: string): string {
  const href = linkAddress(address);
  if (href === undefined) return html;
  return `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${html}</a>`;
}

/** An address that people may be led to: one of the web, without a name or a password in it. */
export function linkAddress(address: string, base?: string): string | undefined {
  if (address.length > MAX_LINK || !canParseUrl(address, base)) return undefined;
  const url = new URL(address, base);
  const isPlain = url.username === '' && url.password === '';
  return isPlain && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}

function codeName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
