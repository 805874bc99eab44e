import { hash } from 'node:crypto';

/** A short name for the state of a sync of these sites into this sink: independent of their order. */
export function stateName(urls: readonly string[], target: string): string {
  return hash('sha256', JSON.stringify([[...urls].sort(), target]), 'hex').slice(0, NAME_LENGTH);
}

const NAME_LENGTH = 10;
