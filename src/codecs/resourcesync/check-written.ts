import { clauseOfKind } from './document-head.ts';
import { DocumentFlaw, ENTRY } from './issue.ts';
import { type Capability, type Head, hrefOf, INDEXED_CAPABILITIES, type ResourceEntry } from './wire.ts';

/** Throws a {@link DocumentFlaw} for a document that could be written, but that its kind does not allow. */
export function checkWritten(head: Head<number>, entries: readonly ResourceEntry<number>[]): void {
  const { capability, isIndex } = head;
  if (isIndex && !INDEXED_CAPABILITIES.has(capability)) {
    throw new DocumentFlaw(clauseOfKind(capability), `There are no indexes of the capability "${capability}".`);
  }
  checkHead(head);
  if (isIndex) checkIndexEntries(head, entries);
  else checkEntries(head, entries);
}

const UP_CLAUSES: Partial<Record<Capability, string>> = { capabilitylist: 'RS-C2', changelist: 'RS-L2' };

function checkHead(head: Head<number>): void {
  const { capability, md } = head;
  // A description has nothing above it, and the dump that contains a manifest describes it.
  const needsUp = capability !== 'description' && !capability.endsWith('-manifest');
  if (needsUp && hrefOf(head, 'up') === undefined) {
    throw new DocumentFlaw(UP_CLAUSES[capability] ?? ENTRY, 'It has no link to what is above it (rel="up").');
  }
  if (capability === 'capabilitylist' && hrefOf(head, 'describes') === undefined) {
    throw new DocumentFlaw('RS-C4', 'It does not say which collection it describes.');
  }
  if (capability.startsWith('change') && md.from === undefined) throw new DocumentFlaw('RS-L5', 'It has no "from".');
  if (capability.startsWith('resource') && md.at === undefined) throw new DocumentFlaw(ENTRY, 'It has no "at".');
  if (md.from !== undefined && md.until !== undefined && md.until < md.from) {
    throw new DocumentFlaw('RS-L6', 'It ends before it begins.');
  }
}

function checkIndexEntries({ capability }: Head<number>, entries: readonly ResourceEntry<number>[]): void {
  if (capability !== 'changelist') return;
  if (entries.some(({ md }) => md.from === undefined)) {
    throw new DocumentFlaw('RS-G10', 'A list in the index does not say when it begins.');
  }
  inOrder(entries, ({ md }) => md.from ?? 0);
}

function checkEntries(
  { capability, md: { from = -Infinity, until = Infinity } }: Head<number>,
  entries: readonly ResourceEntry<number>[],
): void {
  for (const entry of entries) checkEntry(capability, entry);
  if (capability === 'capabilitylist') {
    const count = entries.filter(({ md }) => md.capability === 'changelist').length;
    if (count !== 1) throw new DocumentFlaw('RS-C8', `It names ${count} Change Lists, where it must name exactly one.`);
  }
  if (capability === 'changelist') {
    inOrder(entries, ({ md }) => md.datetime ?? 0);
    const isOutside = ({ md: { datetime = 0 } }: ResourceEntry<number>) => datetime < from || datetime > until;
    if (entries.some(isOutside)) throw new DocumentFlaw('RS-L5', 'A change is not of the time that the list is about.');
  }
}

function checkEntry(capability: Capability, entry: ResourceEntry<number>): void {
  const { loc, md } = entry;
  const isPacked = capability.endsWith('-manifest');
  if (capability === 'description') {
    if (md.capability !== 'capabilitylist') throw new DocumentFlaw('RS-S4', `${loc} is no Capability List.`);
    if (hrefOf(entry, 'describes') === undefined) throw new DocumentFlaw('RS-S5', `${loc} describes no collection.`);
  } else if (capability === 'capabilitylist') {
    if (md.capability === undefined) throw new DocumentFlaw(ENTRY, `${loc} has no capability.`);
  } else if (capability === 'changelist' || capability === 'changedump-manifest') {
    if (md.change === undefined) throw new DocumentFlaw('RS-L7', `${loc} does not say what changed.`);
    if (md.datetime === undefined) throw new DocumentFlaw('RS-L8', `${loc} does not say when it changed.`);
  }
  if (isPacked && md.path === undefined && md.change !== 'deleted') {
    throw new DocumentFlaw(ENTRY, `${loc} does not say where it is in the package.`);
  }
}

/** Lists of changes go forward in time (ResourceSync, sections 12.1 and 12.2). */
function inOrder(entries: readonly ResourceEntry<number>[], timeOf: (entry: ResourceEntry<number>) => number): void {
  const isLate = (entry: ResourceEntry<number>, at: number) => {
    const before = entries[at - 1];
    return before !== undefined && timeOf(before) > timeOf(entry);
  };
  const late = entries.find(isLate);
  if (late !== undefined) throw new DocumentFlaw(ENTRY, `${late.loc} stands behind something that happened later.`);
}
