import type { EndpointRecord } from '../../../surface/endpoint-record.ts';

/** An endpoint as plain JSON, for whoever asks. */
export interface ReadEndpoint {
  /** Null where the endpoint is known by a change alone and was never announced, as the URL. */
  readonly protocol: string | null;
  readonly endpointId: string;
  readonly url: string | null;
  readonly version: string;
  /** By `from->to`. */
  readonly migrations: Readonly<Record<string, unknown>>;
  readonly deprecated: {
    readonly sunset: string;
    readonly replacement: string | null;
    readonly reason: string | null;
  } | null;
}

export function readEndpoint(record: EndpointRecord): ReadEndpoint {
  const { protocol, endpointId, url, version, migrations, deprecation } = record;
  return {
    protocol: protocol ?? null,
    endpointId,
    url: url ?? null,
    version,
    migrations: Object.fromEntries(migrations.map(({ from, to, delta }) => [`${from}->${to}`, delta])),
    deprecated:
      deprecation === undefined
        ? null
        : { sunset: deprecation.sunset, replacement: deprecation.replacement, reason: deprecation.reason },
  };
}
