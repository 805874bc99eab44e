/** The length of the digits of time and cursor at the beginning of a key. */
export const DIGIT_BYTES = 13;
/** The length of the digits of the time alone, which come first. */
export const SECOND_BYTES = 7;

const PATH = /^archive\/([^/]+)\/(\d{4})\/(\d\d)\/(\d\d)\/(\2\3\4)T(\d{6})Z_([0-9a-f]{12})\.json$/;

/**
 * The path of an archive (DD-R4) in few bytes that rise with time: the digits of its time and of its cursor, two in a byte, then
 * the name of its feed. A path of another shape is its own key.
 */
export function archiveKey(path: string): Buffer {
  const [, name, , , , day, time, cursor] = PATH.exec(path) ?? [];
  if (name === undefined) return Buffer.from(path);
  return Buffer.concat([Buffer.from(`${day}${time}${cursor}`, 'hex'), Buffer.from(name)]);
}

/** The path that a key of digits encodes. */
export function archivePathOf(key: Uint8Array): string {
  const digits = Buffer.from(key.subarray(0, DIGIT_BYTES)).toString('hex');
  const name = Buffer.from(key.subarray(DIGIT_BYTES)).toString();
  const [day, time, cursor] = [digits.slice(0, 8), digits.slice(8, 14), digits.slice(14)];
  const folder = [name, day.slice(0, 4), day.slice(4, 6), day.slice(6)].join('/');
  return `archive/${folder}/${day}T${time}Z_${cursor}.json`;
}

/** The second of a moment, as keys begin with it. */
export function secondKey(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '');
  return Buffer.from(digits.slice(0, 2 * SECOND_BYTES), 'hex');
}

/** When the second began that a key begins with. */
export function millisecondsOf(key: Uint8Array): number {
  const digits = Buffer.from(key.subarray(0, SECOND_BYTES)).toString('hex');
  const part = (from: number, to: number) => Number(digits.slice(from, to));
  return Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(8, 10), part(10, 12), part(12, 14));
}
