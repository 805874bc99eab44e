import { hash } from 'node:crypto';

/** What sessions depend on, as a text that reveals nothing: the hub's token or the provider, and the log at their start. */
export function groundOf(parts: readonly (string | undefined)[]): string {
  return hash('sha256', JSON.stringify(parts.map((part) => part ?? null)), 'hex');
}
