/** Longer than any XML declaration. */
const DECLARATION_BYTES = 200;
const ENCODING = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i;

/**
 * The bytes as text, without the BOM. Sitemaps are UTF-8; those that name another encoding are read in it. Bytes that are none
 * become U+FFFD, by which an entry that holds them is known.
 */
export function sitemapText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const named = ENCODING.exec(new TextDecoder('utf-8').decode(bytes.subarray(0, DECLARATION_BYTES)))?.[1] ?? 'utf-8';
  // What is named in ASCII bytes is not in UTF-16.
  return isKnown(named) && !/^utf-?16|^ucs-?2|^iso-10646/i.test(named) ? named : 'utf-8';
}

function isKnown(encoding: string): boolean {
  try {
    new TextDecoder(encoding);
    return true;
  } catch {
    return false;
  }
}
