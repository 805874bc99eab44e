/** One array of all parts, in their order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Of public values: the time it takes tells where they differ. */
export function isSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) return false;
  return true;
}

/** Where two bytes of LF stand first at or behind `from`; -1 where they do not. */
export function firstEmptyLine(bytes: Uint8Array, from = 0): number {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) if (bytes[at + 1] === LF) return at;
  return -1;
}

/** Where two bytes of LF stand last; -1 where they do not. */
export function lastEmptyLine(bytes: Uint8Array): number {
  for (let at = bytes.lastIndexOf(LF); at > 0; at = bytes.lastIndexOf(LF, at - 1)) {
    if (bytes[at - 1] === LF) return at - 1;
  }
  return -1;
}

const LF = 0x0a;
