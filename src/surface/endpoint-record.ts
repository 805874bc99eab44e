import type { MigrationDelta } from '../codecs/agent-feed/wire.ts';

/** What a reader knows about one endpoint of an origin. */
export interface EndpointRecord {
  /** Absent until the endpoint is announced. */
  readonly protocol?: string;
  readonly endpointId: string;
  /** Absolute. Absent until the endpoint is announced. */
  readonly url?: string;
  readonly version: string;
  /** In the order in which they were applied. */
  readonly migrations: readonly EndpointMigration[];
  readonly deprecation?: EndpointDeprecation;
  /** When the last announcement says that it took effect. A claim. */
  readonly assertedAt?: string;
  /** The number of its last announcement among all of the origin, from 1. */
  readonly announcement?: number;
}

/** Two separate fields: versions are opaque and may contain "->". */
export interface EndpointMigration {
  readonly from: string;
  readonly to: string;
  readonly delta: MigrationDelta;
  readonly effectiveAt: string;
}

export interface EndpointDeprecation {
  readonly sunset: string;
  readonly replacement: string | null;
  readonly reason: string | null;
  readonly announcedAt: string;
}
