/** Keys of a delta that are ours, not of agent-feed version 0. Readers keep and ignore them (AF-C6, AF-C7). */
const OWN_OPERATORS: ReadonlySet<string> = new Set(['addOptional', 'presence', 'recursive', 'request', 'traits']);

/** Whether a warning is about a key that a derived delta has on purpose. */
export function isOwnOperatorWarning(warning: string): boolean {
  const key = /^migration\.(\w+) is no operator/.exec(warning)?.[1];
  return key !== undefined && OWN_OPERATORS.has(key);
}
