import { claimedTime } from '../codecs/agent-feed/encode-payload.ts';
import type { Fact } from '../codecs/agent-feed/wire.ts';
import { parseTime } from '../codecs/primitives/time.ts';
import type { EndpointRecord } from './endpoint-record.ts';
import { createSurfaceTable } from './surface-table.ts';

/**
 * What an origin asserted about its endpoints at a given time, by the time in each of its signed facts: of an announcement, a change, a deprecation.
 * `facts` are in the order in which they were applied, and keep it.
 */
export function assertedAt(
  origin: URL,
  facts: readonly { readonly fact: Fact }[],
  timeMs: number,
): readonly EndpointRecord[] {
  const table = createSurfaceTable(origin);
  for (const { fact } of facts) {
    const factMs = parseTime(claimedTime(fact));
    if (factMs !== undefined && factMs <= timeMs) table.apply(fact);
  }
  return table.records();
}
