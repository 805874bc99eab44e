/** Keys of a delta that are ours and not of agent-feed version 0. Readers keep them and use them for nothing (AF-C6, AF-C7). */
const OWN_OPERATORS: ReadonlySet<string> = new Set(['addOptional', 'presence', 'recursive', 'request', 'traits']);

/** Whether a publisher is warned of a key that a derived delta has on purpose. */
export function isOwnOperatorWarning(warning: string): boolean {
  const key = /^migration\.(\w+) is no operator/.exec(warning)?.[1];
  return key !== undefined && OWN_OPERATORS.has(key);
}
