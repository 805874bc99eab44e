import { hash } from 'node:crypto';

/** What sessions stand on, in a text that tells nothing of it: the hub's token or the provider, and the log that they were begun with. */
export function groundOf(parts: readonly (string | undefined)[]): string {
  return hash('sha256', JSON.stringify(parts.map((part) => part ?? null)), 'hex');
}
