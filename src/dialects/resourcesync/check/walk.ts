import { clauseOfKind } from '../../../codecs/resourcesync/document-head.ts';
import { ENTRY } from '../../../codecs/resourcesync/issue.ts';
import type { Capability } from '../../../codecs/resourcesync/wire.ts';
import { checkCapabilityList, type Offer } from './check-capability-list.ts';
import { checkChangeList, checkSpan } from './check-change-list.ts';
import { checkDescription, type NamedCollection } from './check-description.ts';
import { checkChangeParts, checkIndex, compareSpans } from './check-index.ts';
import { checkMetadata } from './check-metadata.ts';
import { checkAt, checkResourceList } from './check-resource-list.ts';
import { checkUp } from './check-up.ts';
import type { ClaimCheck } from './claim-check.ts';
import { isElsewhere, type ListContext, linkOf, type SeenList, shown, tellOf } from './list-context.ts';
import { CAPABILITY_LIST, CHANGE_LIST, DESCRIPTION, DUMPS, type ListKind, RESOURCE_LIST } from './list-kind.ts';
import { readList } from './read-list.ts';
import type { SiteDocuments } from './site-documents.ts';

interface Walk {
  readonly documents: Pick<SiteDocuments, 'ask'>;
  readonly claims: ClaimCheck;
  readonly context: ListContext;
  /** The addresses already checked, because documents may link in a circle. */
  readonly visited: Set<string>;
}

/** Checks a document without the documents above it. */
export async function walkAlone(list: SeenList, capability: Capability, walk: Walk): Promise<void> {
  if (capability === 'description') await walkDescription(list, walk);
  else if (capability === 'capabilitylist') {
    const describes = linkOf(list.head.lns, 'describes')?.attributes.get('href');
    await walkCapabilities(list, { line: 1, loc: list.url, describes, describedby: undefined }, [], walk);
  } else if (capability === 'changelist') await walkChanges(list, [], walk);
  else if (capability === 'resourcelist') await walkResources(list, [], walk);
  else if (DUMPS.some((each) => each.capability === capability)) await walkDump(list, [], walk);
}

/** Checks everything that a Source Description, or an index of several, leads to. */
export async function walkDescription(list: SeenList, walk: Walk): Promise<void> {
  const { context } = walk;
  if (!list.isIndex) return await walkCollections(list, [list], walk);
  context.ledger.looked('RS-X1');
  for (const part of checkIndex(list, 'RS-S1', context)) {
    const description = await follow(part, list, { ...DESCRIPTION, mayBeIndex: false }, walk);
    if (description !== undefined) await walkCollections(description, [description, list], walk);
  }
}

async function walkCollections(list: SeenList, parents: readonly SeenList[], walk: Walk): Promise<void> {
  const { context } = walk;
  const named = checkDescription(list, context);
  await checkDescribedby(list, named, walk);
  for (const collection of named) await walkCollection(collection, list, parents, walk);
}

async function checkDescribedby(list: SeenList, named: readonly NamedCollection[], walk: Walk): Promise<void> {
  const { ledger } = walk.context;
  const { root, lns } = list.head;
  ledger.looked('RS-S8');
  const own = linkOf(lns, 'describedby');
  const links = [own, ...named.map(({ describedby }) => describedby)].flatMap((link) => link ?? []);
  if (links.length === 0) {
    const seen = 'Nothing in it says where the title and the author of the site or of a collection are given.';
    const remedy =
      'Write below that line, with the address of a page or file that gives them: <rs:ln rel="describedby" href="…"/>';
    tellOf(list, walk.context)(root.line, { clause: 'RS-S8', sort: 'none', seen, remedy });
  } else ledger.looked('RS-S7');
  for (const link of links) await checkMetadata(list, link, 'RS-S9', walk);
}

async function walkCollection(
  named: NamedCollection,
  description: SeenList,
  parents: readonly SeenList[],
  walk: Walk,
): Promise<void> {
  const list = await follow(named, description, CAPABILITY_LIST, walk);
  if (list !== undefined) await walkCapabilities(list, named, parents, walk);
}

async function walkCapabilities(
  list: SeenList,
  named: NamedCollection,
  parents: readonly SeenList[],
  walk: Walk,
): Promise<void> {
  const { context } = walk;
  const { capability, title } = DESCRIPTION;
  await checkUp(list, { parents, capability, title, clauses: ['RS-C2', 'RS-C3'] }, walk);
  const describedby = linkOf(list.head.lns, 'describedby');
  context.ledger.looked('RS-C6');
  if (describedby !== undefined) {
    context.ledger.looked('RS-C5');
    await checkMetadata(list, describedby, 'RS-C6', walk);
  } else if (named.describedby === undefined) {
    const seen = 'It does not say where the title and the author of the collection are given.';
    const remedy =
      'Write below that line, with the address of a page or file that gives them: <rs:ln rel="describedby" href="…"/>';
    tellOf(list, context)(list.head.root.line, { clause: 'RS-C6', sort: 'none', seen, remedy });
  }
  const offers = checkCapabilityList(list, named, context);
  if (offers.some((offer) => offer.capability === 'resourcelist')) walk.claims.covered(named.describes);
  for (const offer of offers) await walkOffer(offer, list, walk);
}

async function walkOffer(offer: Offer, above: SeenList, walk: Walk): Promise<void> {
  const wanted = [CHANGE_LIST, RESOURCE_LIST, ...DUMPS].find(({ capability }) => capability === offer.capability);
  if (wanted !== undefined) {
    const list = await follow(offer, above, wanted, walk);
    const walkList = wanted === CHANGE_LIST ? walkChanges : wanted === RESOURCE_LIST ? walkResources : walkDump;
    if (list !== undefined) await walkList(list, [above], walk);
  } else if (!/^(?:description|capabilitylist)/.test(offer.capability)) await checkThere(offer, above, walk);
}

async function walkChanges(list: SeenList, parents: readonly SeenList[], walk: Walk): Promise<void> {
  const { context } = walk;
  const { capability, title } = CAPABILITY_LIST;
  const over = { parents, capability, title };
  if (!list.isIndex) {
    await checkUp(list, { ...over, clauses: ['RS-L2', 'RS-L3'] }, walk);
    checkChangeList(list, context);
    return;
  }
  await checkUp(list, { ...over, clauses: [ENTRY, ENTRY] }, walk);
  checkSpan(list, 'SHOULD', tellOf(list, context), context);
  const parts = checkIndex(list, 'RS-L1', context);
  checkChangeParts(list, parts, context);
  for (const part of parts) {
    const each = await follow(part, list, { ...CHANGE_LIST, mayBeIndex: false }, walk);
    if (each === undefined) continue;
    await checkUp(each, { ...over, clauses: ['RS-L2', 'RS-L3'] }, walk);
    compareSpans(list, part, checkChangeList(each, context), context);
  }
}

async function walkResources(list: SeenList, parents: readonly SeenList[], walk: Walk): Promise<void> {
  const { context, claims } = walk;
  const { capability, title } = CAPABILITY_LIST;
  const over = { parents, capability, title, clauses: [ENTRY, ENTRY] } as const;
  await checkUp(list, over, walk);
  if (!list.isIndex) {
    checkResourceList(list, claims.add, context);
    await claims.flush();
    return;
  }
  checkAt(list, tellOf(list, context), context);
  for (const part of checkIndex(list, ENTRY, context)) {
    const each = await follow(part, list, { ...RESOURCE_LIST, mayBeIndex: false }, walk);
    if (each === undefined) continue;
    await checkUp(each, over, walk);
    checkResourceList(each, claims.add, context);
    await claims.flush();
  }
}

async function walkDump(list: SeenList, parents: readonly SeenList[], walk: Walk): Promise<void> {
  const { context, claims } = walk;
  const { capability, title } = CAPABILITY_LIST;
  const over = { parents, capability, title, clauses: [ENTRY, ENTRY] } as const;
  await checkUp(list, over, walk);
  if (!list.isIndex) return await claims.dump(list);
  const wanted = DUMPS.find((each) => each.capability === list.head.mds[0]?.attributes.get('capability'));
  if (wanted === undefined) return;
  for (const part of checkIndex(list, ENTRY, context)) {
    const each = await follow(part, list, { ...wanted, mayBeIndex: false }, walk);
    if (each === undefined) continue;
    await checkUp(each, over, walk);
    await claims.dump(each);
  }
}

/** Checks only that the document exists: archives are not read. */
async function checkThere(
  { loc, line, capability }: Offer,
  above: SeenList,
  { documents, context }: Walk,
): Promise<void> {
  if (isElsewhere(loc, context)) return;
  const answer = await documents.ask(loc, { headersOnly: true });
  if (answer.kind !== 'absent' || answer.isTooLarge === true) return;
  const seen = `<loc>${shown(loc)}</loc> leads to nothing. ${answer.seen}`;
  const remedy = `Put it there, or take the entry "${capability}" out.`;
  tellOf(above, context)(line, { clause: ENTRY, sort: 'absent', seen, remedy });
}

/** The document that an entry leads to, if it is of the wanted kind and was not checked before. */
async function follow(
  { loc, line }: { readonly loc: string; readonly line: number },
  from: SeenList,
  wanted: ListKind,
  { documents, context, visited }: Walk,
): Promise<SeenList | undefined> {
  const { clause, capability, title } = wanted;
  // An address on another site was already reported where it is written.
  if (isElsewhere(loc, context)) return undefined;
  if (visited.has(loc)) {
    const seen = `<loc>${shown(loc)}</loc> is a document that is listed elsewhere, or that leads here.`;
    const remedy = `Give the address of a ${title} of its own.`;
    tellOf(from, context)(line, { clause: ENTRY, level: 'SHOULD', sort: 'circle', seen, remedy });
    return undefined;
  }
  visited.add(loc);
  const answer = await documents.ask(loc);
  if (answer.kind === 'unread') return undefined;
  context.ledger.looked(...(clause === ENTRY ? [] : [clause]));
  if (answer.kind === 'there') return readList(answer.document, loc, wanted, context);
  const seen = `<loc>${shown(loc)}</loc> leads to no ${title}. ${answer.seen}`;
  const remedy =
    answer.isTooLarge === true
      ? 'A document may have 50 MB: split it up.'
      : `Put a ${title} there, or give the address where it is.`;
  tellOf(from, context)(line, {
    clause: clause === 'RS-S1' ? clauseOfKind(capability) : clause,
    sort: 'absent',
    seen,
    remedy,
  });
  return undefined;
}
