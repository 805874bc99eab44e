/** Ids compare as byte strings (T-AICF-6). */
export function compareIds(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
