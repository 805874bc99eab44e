import type { EndpointRecord } from '../../../surface/endpoint-record.ts';
import { canonicalEndpoint, latest, type Resolution, resolveUrl } from '../../../surface/resolve-url.ts';
import { readShape, type Shape, shapeOf } from '../../../surface/shape.ts';
import { createSurfaceTable } from '../../../surface/surface-table.ts';
import type { FeedMemory, ReaderState } from './reader-state.ts';
import { isConsulted } from './report.ts';

/** How many facts are read from the state at a time. */
const PAGE = 1000;

export interface Answer extends Resolution {
  /** The endpoint that was asked for. */
  readonly endpointId: string;
}

/** Undefined if the feed may not be acted on. */
export function resolveId(memory: FeedMemory, endpointId: string, nowMs: number): Answer | undefined {
  const table = tableOf(memory);
  return table && { endpointId, ...resolveUrl(table, endpointId, nowMs) };
}

export function resolveProtocol(memory: FeedMemory, protocol: string, nowMs: number): Answer | undefined {
  const table = tableOf(memory);
  const record = latest(memory.endpoints.filter((endpoint) => endpoint.protocol === protocol));
  if (table === undefined || record === undefined) return undefined;
  return { endpointId: record.endpointId, ...canonicalEndpoint(table, protocol, nowMs) };
}

/** The endpoint to compare a response with. */
export function findEndpoint(memory: FeedMemory, endpointId: string): EndpointRecord | undefined {
  if (!isConsulted(memory)) return undefined;
  return latest(memory.endpoints.filter((endpoint) => endpoint.endpointId === endpointId));
}

/** The shape of a response, or a shape given in either form. Undefined if there was no response (AF-L15). */
export function observedShape(observed: unknown): Shape | undefined {
  if (observed === undefined || observed instanceof Error) return undefined;
  const written = observed instanceof Map ? Object.fromEntries(observed) : observed;
  return readShape(written) ?? shapeOf(written);
}

/** The fields that a response of the endpoint had, as an agent reported earlier. */
export function baselineOf({ baselines = {} }: FeedMemory, endpointId: string): Shape | undefined {
  return Object.hasOwn(baselines, endpointId) ? observedShape(baselines[endpointId]) : undefined;
}

export async function allFacts(state: ReaderState, feedUrl: string) {
  const facts = [];
  for (let last = 0; ; ) {
    const page = await state.factsOf(feedUrl, last, PAGE);
    facts.push(...page);
    last = page.at(-1)?.seq ?? last;
    if (page.length < PAGE) return facts;
  }
}

function tableOf(memory: FeedMemory) {
  if (!isConsulted(memory)) return undefined;
  return createSurfaceTable(new URL(new URL(memory.feedUrl).origin), memory.endpoints);
}
