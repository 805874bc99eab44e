import { ALL_FEED } from './feed-store.ts';

/** Where a feed is, relative to the hub. Once the log was cut it has another name: what was served under the old one stays. */
export function hubFeedPath(name: string, generation: number): string {
  if (generation > 1) return `aicf/${name}-${generation}.ndjson`;
  return name === ALL_FEED ? 'ai-changes.ndjson' : `aicf/${name}.ndjson`;
}
