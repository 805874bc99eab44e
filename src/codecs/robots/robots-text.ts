/** RFC 9309 §2.5: crawlers parse at least this much. The rest, and the line that the cut breaks, is not read. */
export const MAX_ROBOTS_BYTES = 500 * 1024;

const LF = 0x0a;
const CR = 0x0d;

/** The part of a robots.txt that is read, as text without its BOM. */
export function robotsText(robotsTxt: string | Uint8Array): string {
  if (typeof robotsTxt !== 'string') return decode(wholeLines(robotsTxt));
  const text = robotsTxt.startsWith('\ufeff') ? robotsTxt.slice(1) : robotsTxt;
  if (text.length * 3 <= MAX_ROBOTS_BYTES) return text;
  // A UTF-16 unit takes at least one byte of UTF-8.
  const bytes = new TextEncoder().encode(text.slice(0, MAX_ROBOTS_BYTES + 1));
  return bytes.length <= MAX_ROBOTS_BYTES ? text : decode(wholeLines(bytes));
}

function wholeLines(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_ROBOTS_BYTES) return bytes;
  const start = bytes.subarray(0, MAX_ROBOTS_BYTES + 1);
  return start.subarray(0, Math.max(start.lastIndexOf(LF), start.lastIndexOf(CR), 0));
}

/**
 * As UTF-8, or UTF-16 with a BOM. In any other encoding each octet over ASCII becomes its own `%XX`, which is what
 * RFC 9309 §2.2.2 compares, so that a path in Latin-1 forbids the URL that a browser would ask for.
 */
function decode(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes);
  } catch {
    return escapeOctets(bytes);
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function escapeOctets(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  const start = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  let text = '';
  for (const octet of bytes.subarray(start)) {
    text += octet < 0x80 ? String.fromCharCode(octet) : `%${octet.toString(16).toUpperCase()}`;
  }
  return text;
}
