const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,60000}={0,2}/g;
const HEXADECIMAL = /(?<![\w:])(?:0x|\\x)?[\da-f]{2}(?:[\s:]?[\da-f]{2}){23,10000}/gi;
const ESCAPED = /(?:\\x[\da-f]{2}|%[\da-f]{2}|\\u00[\da-f]{2}|&#x?[\da-f]{2,4};|[\w ]){24,10000}/gi;
const ESCAPE = /\\x([\da-f]{2})|%([\da-f]{2})|\\u00([\da-f]{2})/gi;
const MAX_CANDIDATES = 200;
const MAX_DECODED = 20_000;

/** Decodes a text that is entirely base64. */
export function base64Text(code: string): string | undefined {
  const decoded = isMixed(code) ? fromBase64(code.slice(0, MAX_DECODED * 2)) : '';
  return isText(decoded) ? decoded : undefined;
}

/** Decodes the encoded parts of a text, if the result is text. */
export function encodedTexts(text: string): string[] {
  const base64 = base64Codes(text).filter(isMixed).map(fromBase64);
  const hexadecimal = candidates(text, HEXADECIMAL).map((code) => fromHex(code.replace(/[^\da-f]/gi, '')));
  const escaped = /\\x[\da-f]{2}|%[\da-f]{2}%[\da-f]{2}|\\u00/i.test(text)
    ? candidates(text, ESCAPED)
        .filter((code) => (code.match(ESCAPE)?.length ?? 0) > 11)
        .map(unescaped)
    : [];
  return [...base64, ...hexadecimal, ...escaped].filter(isText);
}

/** Consecutive lines are one code. */
function base64Codes(text: string): string[] {
  const codes: string[] = [];
  let endOfLast = -1;
  for (const { index, 0: code } of text.matchAll(BASE64)) {
    const last = codes.length - 1;
    if (index === endOfLast + 1 && text[endOfLast] === '\n' && last >= 0) codes[last] = `${codes[last]}${code}`;
    else if (codes.length < MAX_CANDIDATES) codes.push(code);
    endOfLast = index + code.length;
  }
  return codes.map((code) => code.slice(0, MAX_DECODED * 2));
}

function candidates(text: string, form: RegExp): string[] {
  const found: string[] = [];
  for (const [code] of text.matchAll(form)) {
    found.push(code.slice(0, MAX_DECODED * 2));
    if (found.length >= MAX_CANDIDATES) break;
  }
  return found;
}

/** A path or a long name has only one case. Base64 text of this length has both. */
function isMixed(code: string): boolean {
  return /[a-z]/.test(code) && /[A-Z]/.test(code);
}

function fromBase64(code: string): string {
  return new TextDecoder().decode(Buffer.from(code, 'base64'));
}

function fromHex(code: string): string {
  return new TextDecoder().decode(Buffer.from(code.slice(0, code.length & ~1), 'hex'));
}

function unescaped(code: string): string {
  return code.replace(ESCAPE, (_, ...digits: (string | undefined)[]) =>
    String.fromCharCode(Number.parseInt(digits.slice(0, 3).find((each) => each !== undefined) ?? '20', 16)),
  );
}

const MIN_TEXT = 16;
const MIN_READABLE = 0.9;

function isText(decoded: string): boolean {
  if (decoded.length < MIN_TEXT || isMostlyNoise(decoded)) return false;
  const unreadable = decoded.replace(/[\p{L}\p{N}\p{P}\p{Zs}\n]+/gu, '').length;
  return unreadable <= decoded.length * (1 - MIN_READABLE) && /\p{L}{3}/u.test(decoded);
}

/** Most candidates are not codes, and are rejected without looking at every character. */
function isMostlyNoise(decoded: string): boolean {
  let noise = 0;
  const most = decoded.length * (1 - MIN_READABLE);
  for (let at = 0; at < decoded.length; at += 1) {
    const code = decoded.charCodeAt(at);
    if ((code < 32 && code !== 10) || (code >= 127 && code < 160) || code === 0xfffd) noise += 1;
    if (noise > most) return true;
  }
  return false;
}
