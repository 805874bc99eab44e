import { shorten } from '../primitives/shorten.ts';
import { DocumentFlaw, type DocumentProblem, ENTRY, KIND } from './issue.ts';
import type { TimeSpan } from './time-span.ts';
import {
  CAPABILITIES,
  type Capability,
  type Head,
  hrefOf,
  INDEXED_CAPABILITIES,
  type ResourceMetadata,
} from './wire.ts';

/** What a caller expects; any other document is refused. */
export interface Expected {
  readonly capability?: Capability;
  /** Whether it must, or must not, be an index. An index in an index is not allowed. */
  readonly isIndex?: boolean;
}

/** The clause that says how documents of a kind state their capability. */
export function clauseOfKind(capability: Capability | undefined): string {
  return (capability !== undefined && CLAUSES[capability]) || KIND;
}

const CLAUSES: Partial<Record<Capability, string>> = {
  description: 'RS-S3',
  capabilitylist: 'RS-C7',
  changelist: 'RS-L4',
};

/** Throws a {@link DocumentFlaw} for a root that does not match what is expected. */
export function checkDocumentRoot(isIndex: boolean, expected: Expected): void {
  if (expected.isIndex === undefined || expected.isIndex === isIndex) return;
  if (isIndex)
    throw new DocumentFlaw('RS-X3', 'It is an index where one is not allowed: an index does not list indexes.');
  throw new DocumentFlaw('RS-X2', 'It is not an index: its root is urlset.');
}

/** The capability of a document. Throws a {@link DocumentFlaw} if it is wrong. */
export function checkCapability(text: string, isIndex: boolean, expected: Expected): Capability {
  const capability = CAPABILITIES.find((each) => each === text);
  if (expected.capability !== undefined && capability !== expected.capability) {
    const clause = clauseOfKind(expected.capability);
    throw new DocumentFlaw(clause, `Its capability is "${shorten(text)}" and not "${expected.capability}".`);
  }
  if (capability === undefined) throw new DocumentFlaw(KIND, `"${shorten(text)}" is no capability that is known.`);
  if (isIndex && !INDEXED_CAPABILITIES.has(capability)) {
    throw new DocumentFlaw(clauseOfKind(capability), `There are no indexes of the capability "${capability}".`);
  }
  return capability;
}

/** Throws if the head lacks something without which its entries mean nothing; reports what else it lacks. */
export function checkDocumentHead(head: Head<TimeSpan>, line: number, tell: (problem: DocumentProblem) => void): void {
  const report = (clause: string, message: string) => tell({ clause, message, line, effect: 'kept' });
  const { capability, isIndex, md } = head;
  if (capability === 'capabilitylist' && hrefOf(head, 'describes') === undefined) {
    throw new DocumentFlaw('RS-G7', 'It does not say which collection it describes.');
  }
  if (isIndex) return;
  const clause = UP_CLAUSES[capability];
  if (clause !== undefined && hrefOf(head, 'up') === undefined) {
    report(clause, 'It has no link to what is above it (rel="up").');
  }
  const time = TIME_OF[capability];
  if (time !== undefined && md[time] === undefined) {
    report(capability === 'changelist' ? 'RS-L5' : ENTRY, `Its rs:md has no "${time}".`);
  }
}

const UP_CLAUSES: Partial<Record<Capability, string>> = { capabilitylist: 'RS-C2', changelist: 'RS-L2' };

type HeadTime = keyof Pick<ResourceMetadata<TimeSpan>, 'from' | 'at'>;
const TIME_OF: Partial<Record<Capability, HeadTime>> = {
  resourcelist: 'at',
  resourcedump: 'at',
  'resourcedump-manifest': 'at',
  changelist: 'from',
  changedump: 'from',
  'changedump-manifest': 'from',
};
