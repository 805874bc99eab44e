import { ENTRY } from '../../../codecs/resourcesync/issue.ts';
import type { Capability } from '../../../codecs/resourcesync/wire.ts';

/** The kind that a document must have. */
export interface ListKind {
  readonly capability: Capability;
  /** The clause that is broken if the document does not exist. */
  readonly clause: string;
  /** The name of the document in messages. */
  readonly title: string;
  /** Whether it may be an index. A document that an index lists may not. */
  readonly mayBeIndex: boolean;
}

export const DESCRIPTION: ListKind = {
  capability: 'description',
  clause: 'RS-S1',
  title: 'Source Description',
  mayBeIndex: true,
};
export const CAPABILITY_LIST: ListKind = {
  capability: 'capabilitylist',
  clause: 'RS-C1',
  title: 'Capability List',
  mayBeIndex: false,
};
export const CHANGE_LIST: ListKind = {
  capability: 'changelist',
  clause: 'RS-L1',
  title: 'Change List',
  mayBeIndex: true,
};
export const DUMPS: readonly ListKind[] = [
  { capability: 'resourcedump', clause: ENTRY, title: 'Resource Dump', mayBeIndex: true },
  { capability: 'changedump', clause: ENTRY, title: 'Change Dump', mayBeIndex: true },
];
export const RESOURCE_LIST: ListKind = {
  capability: 'resourcelist',
  clause: ENTRY,
  title: 'Resource List',
  mayBeIndex: true,
};

/** The kind of a document with this capability. */
export function wantedOf(capability: Capability): ListKind {
  const known = [DESCRIPTION, CAPABILITY_LIST, CHANGE_LIST, RESOURCE_LIST, ...DUMPS].find(
    (each) => each.capability === capability,
  );
  return known ?? { capability, clause: ENTRY, title: `document "${capability}"`, mayBeIndex: true };
}
