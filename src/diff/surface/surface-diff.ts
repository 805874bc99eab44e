import type { MigrationDelta } from '../../codecs/agent-feed/wire.ts';
import type { DescriptionFormat } from '../../codecs/api-description/description.ts';

/** The differences between two descriptions of an API, operation by operation. */
export interface SurfaceDiff {
  readonly format: DescriptionFormat;
  readonly operations: readonly OperationDiff[];
  /** Of the API, if its descriptions state them. */
  readonly versions: { readonly old?: string; readonly new?: string };
}

export interface OperationDiff {
  readonly endpointId: string;
  readonly protocol: string;
  readonly operation: string;
  /** Of OpenAPI, if present. */
  readonly operationId?: string;
  readonly status: 'changed' | 'added' | 'removed' | 'same' | 'incomparable';
  /** Present if it changed. */
  readonly migration?: SurfaceMigration;
  readonly suggestions: readonly Suggestion[];
  /** Why it could not be compared, and where. */
  readonly reason?: string;
  /** Whether a caller that was correct before may be wrong now. */
  readonly breaking: boolean;
}

/** A delta of agent-feed §26. The keys other than `add`, `remove`, `rename` and `retype` are ours: readers of version 0 keep and ignore them (AF-C6, AF-C7). */
export interface SurfaceMigration extends MigrationDelta {
  /** New fields that a response may lack. */
  readonly addOptional?: readonly string[];
  /** Fields that stay but are now always present, or no longer always. */
  readonly presence?: Readonly<Record<string, { readonly from: string; readonly to: string }>>;
  /** Below the first pointer, the changes below the second apply again: the type contains itself. */
  readonly recursive?: Readonly<Record<string, string>>;
  readonly request?: RequestDelta;
  /** Other facts that a caller depends on, such as media types. */
  readonly traits?: Readonly<Record<string, TraitChange>>;
}

/** By pointers into the request; see the guide of each format. */
export interface RequestDelta {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly retype?: Readonly<Record<string, { readonly from: string; readonly to: string }>>;
  /** Now required: from `add`, and fields that were optional before. */
  readonly required?: readonly string[];
  /** Now optional. */
  readonly optional?: readonly string[];
}

export interface TraitChange {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Possible meanings, for a person to decide. Nothing is assumed. */
export type Suggestion =
  | { readonly is: 'rename'; readonly from: string; readonly to: string; readonly score: number }
  | { readonly is: 'announce' | 'deprecate'; readonly endpointId: string };
