import type { Html } from '../../hub/http/html.ts';

/**
 * Inserts a piece before the end of a page. The encoding of the page stays, since the piece is ASCII. A page in UTF-16 is not altered, since ASCII is
 * not valid text there.
 */
export function putIntoPage(page: Uint8Array, piece: Html): Uint8Array {
  if ((page[0] === 0xff && page[1] === 0xfe) || (page[0] === 0xfe && page[1] === 0xff)) return page;
  const text = Buffer.from(page).toString('latin1');
  const end = text.toLowerCase().lastIndexOf('</body');
  const at = end === -1 ? text.length : end;
  return Buffer.from(`${text.slice(0, at)}${asciiHtml(String(piece))}${text.slice(at)}`, 'latin1');
}

function asciiHtml(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x80 ? character : `&#x${code.toString(16)};`;
  }).join('');
}
