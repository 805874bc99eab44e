/**
 * ULID: 48 bits of milliseconds, then 80 random bits, as 26 characters of Crockford base 32.
 *
 *     01ARZ3NDEKTSV4RRFFQ69G5FAV
 *
 * Byte order of the text is order of creation. Spec: https://github.com/ulid/spec
 */

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const TIME_LENGTH = 10;
const RANDOM_BYTES = 10;
const MAX_TIME_MS = 2 ** 48 - 1;

export function isUlid(text: string): boolean {
  return PATTERN.test(text);
}

/**
 * An id that sorts after `previous`, even in the same millisecond and if the clock has stepped back.
 *
 * `random` returns the requested number of fresh random bytes.
 */
export function nextUlid(nowMs: number, previous: string | undefined, random: (size: number) => Uint8Array): string {
  if (previous !== undefined && !isUlid(previous)) throw new Error(`"${previous}" is not a ULID.`);

  const time = encodeTime(nowMs);
  if (previous !== undefined && time <= previous.slice(0, TIME_LENGTH)) return successor(previous);
  return time + encodeRandom(random(RANDOM_BYTES));
}

/** A cache, because a batch asks for the same millisecond repeatedly. */
let encoded = { ms: -1, text: '' };

function encodeTime(nowMs: number): string {
  if (encoded.ms === nowMs) return encoded.text;
  if (!(nowMs >= 0 && nowMs <= MAX_TIME_MS)) throw new Error(`A ULID cannot hold the time ${nowMs}.`);
  let rest = Math.floor(nowMs);
  let text = '';
  for (let at = 0; at < TIME_LENGTH; at++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  encoded = { ms: nowMs, text };
  return text;
}

function encodeRandom(bytes: Uint8Array): string {
  if (bytes.length !== RANDOM_BYTES) throw new Error(`Got ${bytes.length} random bytes instead of ${RANDOM_BYTES}.`);
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((held >> bits) & 31);
    }
  }
  return text;
}

/** Adds one to the whole number, so that a full random part carries over into the time. */
function successor(ulid: string): string {
  if (!ulid.endsWith('Z'))
    return ulid.slice(0, -1) + ALPHABET.charAt(ALPHABET.indexOf(ulid.charAt(ulid.length - 1)) + 1);
  const kept = ulid.replace(/Z+$/, '');
  const last = kept.slice(-1);
  const next = kept.slice(0, -1) + ALPHABET.charAt(ALPHABET.indexOf(last) + 1) + '0'.repeat(ulid.length - kept.length);
  if (!isUlid(next)) throw new Error('No ULID is left after the greatest one.');
  return next;
}
