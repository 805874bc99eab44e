import type { MigrationDelta } from '../../codecs/agent-feed/wire.ts';
import type { DescriptionFormat } from '../../codecs/api-description/description.ts';

/** What differs between two descriptions of an API, operation by operation. */
export interface SurfaceDiff {
  readonly format: DescriptionFormat;
  readonly operations: readonly OperationDiff[];
  /** Of the API, where its descriptions tell them. */
  readonly versions: { readonly old?: string; readonly new?: string };
}

export interface OperationDiff {
  readonly endpointId: string;
  readonly protocol: string;
  readonly operation: string;
  /** Of OpenAPI, where it has one. */
  readonly operationId?: string;
  readonly status: 'changed' | 'added' | 'removed' | 'same' | 'incomparable';
  /** Where it changed. */
  readonly migration?: SurfaceMigration;
  readonly suggestions: readonly Suggestion[];
  /** Why it could not be compared, and where. */
  readonly reason?: string;
  /** Whether a caller that was right before may be wrong now. */
  readonly breaking: boolean;
}

/**
 * A delta of agent-feed §26. The keys beyond `add`, `remove`, `rename` and `retype` are our own: readers of version 0 keep them
 * and use them for nothing (AF-C6, AF-C7).
 */
export interface SurfaceMigration extends MigrationDelta {
  /** Fields that are new, and that a response may lack. */
  readonly addOptional?: readonly string[];
  /** Fields that stay, and are from now on always there, or no longer. */
  readonly presence?: Readonly<Record<string, { readonly from: string; readonly to: string }>>;
  /** Below the first pointer, the changes below the second hold again: the type holds itself. */
  readonly recursive?: Readonly<Record<string, string>>;
  readonly request?: RequestDelta;
  /** Other facts that a caller goes by, such as media types. */
  readonly traits?: Readonly<Record<string, TraitChange>>;
}

/** By pointers into what is sent; see the guide of each format. */
export interface RequestDelta {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly retype?: Readonly<Record<string, { readonly from: string; readonly to: string }>>;
  /** What must be sent from now on: of `add`, and of what could be left out before. */
  readonly required?: readonly string[];
  /** What may be left out from now on. */
  readonly optional?: readonly string[];
}

export interface TraitChange {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** What may be meant, for a person to decide. Nothing is assumed. */
export type Suggestion =
  | { readonly is: 'rename'; readonly from: string; readonly to: string; readonly score: number }
  | { readonly is: 'announce' | 'deprecate'; readonly endpointId: string };
