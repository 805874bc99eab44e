import { ENTRY, KIND } from '../../../codecs/resourcesync/issue.ts';
import { CAPABILITIES } from '../../../codecs/resourcesync/wire.ts';
import { isSameAddress, type NamedCollection } from './check-description.ts';
import { checkLink, checkLoc, escaped } from './check-link.ts';
import { checkEntryNames } from './check-root.ts';
import {
  correction,
  type ListContext,
  type SeenList,
  shown,
  type Tell,
  tellOf,
  withAttribute,
} from './list-context.ts';
import { ADVICE } from './list-ledger.ts';
import { type RawEntry, readRawDocument } from './raw-document.ts';

/** One document that a Capability List leads to. */
export interface Offer {
  readonly line: number;
  readonly capability: string;
  readonly loc: string;
}

const KNOWN: ReadonlySet<string> = new Set(CAPABILITIES.flatMap((each) => [each, `${each}-archive`]));
const MAX_OFFERS = 100;

/** Checks what a collection offers. `named` is what the Source Description says about it. */
export function checkCapabilityList(list: SeenList, named: NamedCollection, context: ListContext): readonly Offer[] {
  const { ledger } = context;
  const tell = tellOf(list, context);
  checkDescribes(list, named, tell, context);
  const offers: Offer[] = [];
  const firstLines = new Map<string, number>();
  let changeLists = 0;
  readRawDocument(list.text, (entry) => {
    checkEntryNames(entry, list, tell);
    const capability = checkEntryCapability(entry, tell);
    const clause = capability === 'changelist' ? 'RS-L1' : ENTRY;
    const loc = checkLoc(entry, { clause, list }, tell, context);
    if (capability === undefined) return;
    if (capability === 'changelist') changeLists += 1;
    const first = firstLines.get(capability);
    if (first !== undefined) tellSecond(entry, capability, first, tell);
    firstLines.set(capability, first ?? entry.line);
    if (loc !== undefined && offers.length < MAX_OFFERS) offers.push({ line: entry.line, capability, loc });
  });
  ledger.looked('RS-C8');
  if (offers.length > 1) ledger.looked('RS-C9');
  const { line } = list.head.root;
  if (changeLists === 0) {
    const example = new URL('changelist.xml', list.url).href;
    const seen = 'It has no <url> with <rs:md capability="changelist"/>: nobody can learn what changed.';
    const remedy = `Write: <url><loc>${escaped(example)}</loc><rs:md capability="changelist"/></url>`;
    tell(line, { clause: 'RS-C8', sort: 'none', seen, remedy });
  }
  if (!firstLines.has('resourcelist')) {
    const seen = 'It names no Resource List: a client that starts cannot learn which pages there are.';
    const remedy = 'Add one with the capability "resourcelist".';
    tell(line, { clause: ADVICE, sort: 'no resource list', seen, remedy });
  }
  return offers;
}

function checkDescribes({ head }: SeenList, named: NamedCollection, tell: Tell, { ledger }: ListContext): void {
  ledger.looked('RS-C4');
  const link = checkLink(
    { ...head.root, lns: head.lns },
    { rel: 'describes', clause: 'RS-C4', expected: named.describes },
    tell,
  );
  if (link === undefined || named.describes === undefined) return;
  ledger.looked('RS-S6');
  const href = link.element.attributes.get('href') ?? '';
  if (href === named.describes) return;
  const kind = isSameAddress(href, named.describes) ? 'is spelled differently from' : 'is not';
  const seen = `${shown(link.element.written)} ${kind} what the Source Description says: ${shown(named.describes)}.`;
  const remedy = correction(withAttribute(link.element, 'href', named.describes), 'Write the same address in both.');
  tell(link.element.line, { clause: 'RS-S6', sort: 'differs', seen, remedy });
}

function checkEntryCapability(entry: RawEntry, tell: Tell): string | undefined {
  const [md] = entry.mds;
  const capability = md?.attributes.get('capability');
  if (capability === undefined || capability === '') {
    const seen = `${md === undefined ? '<url> has no <rs:md>' : shown(md.written)}: nothing says what it leads to.`;
    const remedy = 'Write in it which it is: <rs:md capability="changelist"/>, "resourcelist", …';
    tell(md?.line ?? entry.line, { clause: ENTRY, sort: 'no capability', seen, remedy });
    return undefined;
  }
  if (!KNOWN.has(capability)) {
    const seen = `There stands capability="${shown(capability)}", which is none that ResourceSync has.`;
    const close = [...KNOWN].find((each) => each === capability.toLowerCase().replace(/[-_\s]/g, ''));
    const right = close === undefined || md === undefined ? undefined : withAttribute(md, 'capability', close);
    const remedy = correction(right, `It has ${CAPABILITIES.slice(2).join(', ')}.`);
    tell(md?.line, { clause: ENTRY, level: 'SHOULD', sort: 'unknown', seen, remedy });
  }
  if (capability === 'capabilitylist' || capability.startsWith('description')) {
    const seen = `A Capability List does not list what has the capability "${capability}".`;
    tell(md?.line, {
      clause: KIND,
      level: 'SHOULD',
      sort: 'above',
      seen,
      remedy: 'Take it out; use <rs:ln rel="up">.',
    });
  }
  return capability;
}

function tellSecond(entry: RawEntry, capability: string, first: number, tell: Tell): void {
  const seen = `There is a second <url> with the capability "${shown(capability)}" (the first is in line ${first}).`;
  if (capability === 'changelist') {
    const remedy = 'Keep exactly one; several lists are listed by a Change List Index, to which it may lead.';
    tell(entry.line, { clause: 'RS-C8', sort: 'two', seen, remedy });
  } else if (KNOWN.has(capability) && !capability.endsWith('-archive')) {
    const remedy = 'Keep one; several documents are listed by an index, to which it may lead.';
    tell(entry.line, { clause: ENTRY, level: 'SHOULD', sort: 'two', seen, remedy });
  }
}
