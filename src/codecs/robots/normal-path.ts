/** Unreserved characters, and the reserved ones that delimit nothing within a path or a query (RFC 3986 §2.2, §2.3). */
const PLAIN = /[\w.~:@[\]!$'()*,;-]/;

/** A `%XX`, or characters that a URI cannot contain unencoded. A `%` that encodes nothing is left as it is. */
const UNSETTLED = /%[0-9a-f]{2}|[^\x21-\x7e]+|["<>\\^`{|}]/gi;

/**
 * One spelling for all paths that are equivalent by RFC 9309 §2.2.2, for rules and URLs alike: a character that needs no
 * encoding is written as itself, any other octet as `%XX` in upper case. The delimiters `/ ? # & = +` are never decoded, so
 * that `/a%2Fb` is not `/a/b`.
 */
export function normalPath(text: string): string {
  return text.replace(UNSETTLED, (part) => {
    if (part.length !== 3 || !part.startsWith('%')) return encode(part);
    const character = String.fromCharCode(Number.parseInt(part.slice(1), 16));
    return PLAIN.test(character) ? character : part.toUpperCase();
  });
}

/** For a query in normal form, where `/` and `?` delimit nothing. */
export function foldSlashes(query: string): string {
  return query.includes('%') ? query.replaceAll('%2F', '/').replaceAll('%3F', '?') : query;
}

function encode(characters: string): string {
  let encoded = '';
  for (const octet of new TextEncoder().encode(characters)) {
    encoded += `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
