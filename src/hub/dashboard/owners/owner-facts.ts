import type { SourceLine } from '../sources/source-line.ts';

/** A source on a domain that was proven, with what it costs and brings. */
export interface OwnedSource {
  readonly source: SourceLine;
  readonly intervalSeconds: number;
  /** Whether its owner may resume it. */
  readonly isPausedByOwner: boolean;
  /** It is in the config file: its interval is changed there. */
  readonly isFixed: boolean;
  /** The number of checks. */
  readonly checks: number;
  /** The number of changes that the newest of them found. */
  readonly changes: number;
  readonly failed: number;
}

/** The requests to a host since the hub started. */
export interface HostCost {
  readonly host: string;
  readonly requests: number;
  readonly bytes: number;
}

export interface OwnedDomain {
  readonly domain: string;
  readonly sources: readonly OwnedSource[];
  readonly hosts: readonly HostCost[];
}

export interface OwnersFacts {
  /** What was proven in this browser within the hour. */
  readonly domains: readonly OwnedDomain[];
  /** Nothing is counted from before. */
  readonly since: string;
  readonly minIntervalSeconds: number;
}
