import { ALL_FEED } from './feed-store.ts';

/**
 * The path of a feed, relative to the hub. After the log was cut, a feed has another name: what was served under the old one stays.
 */
export function hubFeedPath(name: string, generation: number): string {
  if (generation > 1) return `aicf/${name}-${generation}.ndjson`;
  return name === ALL_FEED ? 'ai-changes.ndjson' : `aicf/${name}.ndjson`;
}
