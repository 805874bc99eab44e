import { availableParallelism } from 'node:os';

/** How many cores this process may use at a time. */
export function availableCores(): number {
  return availableParallelism();
}
