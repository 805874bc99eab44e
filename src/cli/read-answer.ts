import type { ObserveOptions, ReadEndpoint, Reader, ReadReport } from '../doors/agent-feed.ts';
import type { ReadRequest } from './read-options.ts';
import type { World } from './world.ts';

/** What `tidings read` prints: what is known of the origin, and what was asked beside that. */
export interface ReadAnswer extends ReadReport {
  readonly resolved?: { readonly endpointId: string; readonly url: string | null };
  readonly canonical?: { readonly protocol: string; readonly url: string | null };
  readonly asserted?: { readonly at: string; readonly endpoints: readonly ReadEndpoint[] };
}

export interface ShapedRequest extends ReadRequest {
  readonly shape: ObserveOptions;
}

export async function readAnswer(reader: Reader, request: ShapedRequest, world: World): Promise<ReadAnswer> {
  const { origin, refresh, retrust, resolve, canonical, at, observations, shape } = request;
  if (retrust) await reader.retrust(origin);
  const decided = reader.events();
  world.status(`${origin.host}: reading its feed`);
  const report = await reader.ingest(origin, { refresh, signal: world.signal });
  world.status('');
  if (retrust) sayTrust(report, decided.length > 0, world);
  reader.events();

  const question = at === undefined ? {} : { at };
  const resolved = resolve === undefined ? null : await reader.resolveUrl(origin, resolve, question);
  const canonicalUrl = canonical === undefined ? null : await reader.canonicalEndpoint(origin, canonical, question);
  const asserted = at === undefined ? [] : await reader.assertedAt(origin, at);
  for (const { endpointId, observed } of observations) {
    if (!report.endpoints.some((endpoint) => endpoint.endpointId === endpointId)) {
      const why = report.trust ? `nothing is known of ${endpointId}` : `${report.origin} is not trusted`;
      world.complain(`tidings: ${why}, so the response of ${endpointId} was held against nothing.`);
    }
    await reader.observeLiveResponse(origin, endpointId, observed, shape);
  }
  return {
    ...report,
    events: [...decided, ...report.events, ...reader.events()],
    ...(resolve !== undefined && { resolved: { endpointId: resolve, url: resolved } }),
    ...(canonical !== undefined && { canonical: { protocol: canonical, url: canonicalUrl } }),
    ...(at !== undefined && { asserted: { at, endpoints: asserted } }),
  };
}

/** `isNew`: it was not trusted before. */
function sayTrust({ origin, trust, feedStatus }: ReadReport, isNew: boolean, world: World): void {
  if (!trust) world.complain(`tidings: --retrust has no effect as long as the feed of ${origin} says ${feedStatus}.`);
  else if (isNew) world.complain(`tidings: ${origin} is trusted again, by your decision. It is recorded.`);
  else world.complain(`tidings: ${origin} is trusted already; --retrust changed nothing.`);
}
