/** `ai-changes.ndjson`, then `ai-changes-2.ndjson` … as the feed rotates. */
export function aicfFeedPath(number: number): string {
  return number === 1 ? 'ai-changes.ndjson' : `ai-changes-${number}.ndjson`;
}
