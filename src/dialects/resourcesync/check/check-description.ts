import { ENTRY } from '../../../codecs/resourcesync/issue.ts';
import { checkLink, checkLoc } from './check-link.ts';
import { checkEntryNames } from './check-root.ts';
import {
  addressOf,
  correction,
  type ListContext,
  linkOf,
  type SeenList,
  shown,
  type Tell,
  tellOf,
  withAttribute,
} from './list-context.ts';
import { type RawElement, type RawEntry, readRawDocument } from './raw-document.ts';

/** A collection that a Source Description names. */
export interface NamedCollection {
  readonly line: number;
  /** The address of its Capability List. */
  readonly loc: string;
  /** Exactly as written. */
  readonly describes: string | undefined;
  readonly describedby: RawElement | undefined;
}

/** How many collections are checked. */
const MAX_COLLECTIONS = 1000;

/** Checks a Source Description and returns the collections that it names. */
export function checkDescription(list: SeenList, context: ListContext): readonly NamedCollection[] {
  const { ledger } = context;
  const tell = tellOf(list, context);
  const named: NamedCollection[] = [];
  const locs = new Set<string>();
  const described = new Map<string, number>();
  readRawDocument(list.text, (entry) => {
    checkEntryNames(entry, list, tell);
    const collection = checkEntry(entry, list, tell, context);
    if (collection === undefined) return;
    const { loc, describes, line } = collection;
    const first = describes === undefined ? undefined : described.get(describes);
    if (first !== undefined) {
      const seen = `${shown(describes ?? '')} is described in line ${first} already.`;
      const remedy = 'Each collection has one entry, and an address of its own that identifies it.';
      tell(line, { clause: 'RS-S6', sort: 'twice', seen, remedy });
    } else if (locs.has(loc)) {
      const seen = `<loc>${shown(loc)}</loc> is listed already.`;
      const remedy = 'Each collection has a Capability List of its own.';
      tell(line, { clause: ENTRY, level: 'SHOULD', sort: 'twice', seen, remedy });
    }
    if (describes !== undefined && first === undefined) described.set(describes, line);
    if (named.length < MAX_COLLECTIONS && !locs.has(loc)) named.push(collection);
    locs.add(loc);
  });
  if (list.head.entryCount === 0) {
    const seen = 'It names no collection: it has no <url>.';
    const remedy = 'Name the Capability List of the site in a <url>, with <rs:md capability="capabilitylist"/>.';
    tell(list.head.root.line, { clause: ENTRY, level: 'SHOULD', sort: 'empty', seen, remedy });
  } else ledger.looked('RS-S4', 'RS-S5');
  if (list.head.entryCount > 1) ledger.looked('RS-S10');
  return named;
}

function checkEntry(entry: RawEntry, list: SeenList, tell: Tell, context: ListContext): NamedCollection | undefined {
  const loc = checkLoc(entry, { clause: 'RS-C1', list }, tell, context);
  const isList = checkEntryCapability(entry, tell);
  const describes = checkLink(entry, { rel: 'describes', clause: 'RS-S5' }, tell);
  if (loc === undefined || !isList) return undefined;
  const describedby = linkOf(entry.lns, 'describedby');
  return { line: entry.line, loc, describes: describes?.element.attributes.get('href'), describedby };
}

/** Returns whether the entry can count as a Capability List. */
function checkEntryCapability(entry: RawEntry, tell: Tell): boolean {
  const [md] = entry.mds;
  const right = '<rs:md capability="capabilitylist"/>';
  if (md === undefined) {
    tell(entry.line, {
      clause: 'RS-S4',
      sort: 'no md',
      seen: '<url> has no <rs:md>.',
      remedy: `Write in it: ${right}`,
    });
    return true;
  }
  const capability = md.attributes.get('capability');
  if (capability === 'capabilitylist') return true;
  const remedy =
    capability === 'description'
      ? 'A Source Description names Capability Lists alone; several descriptions are listed by an index (<sitemapindex>).'
      : correction(withAttribute(md, 'capability', 'capabilitylist'), `Write: ${right}`);
  tell(md.line, { clause: 'RS-S4', sort: 'capability', seen: `There stands ${shown(md.written)}.`, remedy });
  return capability === undefined || /^capability-?list$/i.test(capability);
}

/** Compares two addresses in one normal form. */
export function isSameAddress(left: string, right: string): boolean {
  return left === right || (addressOf(left) ?? left) === (addressOf(right) ?? right);
}
