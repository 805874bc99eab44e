/** All parts in one array, in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Only for public values: its run time shows where they differ. */
export function isSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) return false;
  return true;
}

/** The position of the first two consecutive LF bytes at or after `from`; -1 if there are none. */
export function firstEmptyLine(bytes: Uint8Array, from = 0): number {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) if (bytes[at + 1] === LF) return at;
  return -1;
}

/** The position of the last two consecutive LF bytes; -1 if there are none. */
export function lastEmptyLine(bytes: Uint8Array): number {
  for (let at = bytes.lastIndexOf(LF); at > 0; at = bytes.lastIndexOf(LF, at - 1)) {
    if (bytes[at - 1] === LF) return at - 1;
  }
  return -1;
}

const LF = 0x0a;
