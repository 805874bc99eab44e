import { ENTRY } from '../../../codecs/resourcesync/issue.ts';
import { checkLoc } from './check-link.ts';
import { checkEntryNames } from './check-root.ts';
import { checkLastmod, checkWrittenTime } from './check-time.ts';
import {
  correction,
  type ListContext,
  lacking,
  type SeenList,
  shown,
  type Tell,
  tellOf,
  withAttribute,
} from './list-context.ts';
import { ADVICE } from './list-ledger.ts';
import { type RawElement, type RawEntry, readRawDocument } from './raw-document.ts';

/** What a Resource List claims about one resource. */
export interface Claim {
  /** The list, and the line in it. */
  readonly where: string;
  readonly line: number;
  readonly loc: string;
  /** The strongest hash that can be computed here. */
  readonly hash: { readonly algorithm: string; readonly hex: string } | undefined;
  readonly length: number | undefined;
}

/** Algorithm names as ResourceSync writes them, with the number of hexadecimal digits; the strongest first. */
const ALGORITHMS: ReadonlyMap<string, number> = new Map([
  ['sha-512', 128],
  ['sha-256', 64],
  ['sha-1', 40],
  ['md5', 32],
]);
const MAX_REMEMBERED = 50_000;

/** Checks the entries of a Resource List, and passes each claim to `onClaim`. */
export function checkResourceList(list: SeenList, onClaim: (claim: Claim) => void, context: ListContext): void {
  const tell = tellOf(list, context);
  checkAt(list, tell, context);
  const locs = new Map<string, number>();
  readRawDocument(list.text, (entry) => {
    checkEntryNames(entry, list, tell);
    const loc = checkLoc(entry, { clause: ENTRY, list }, tell, context);
    for (const lastmod of entry.lastmods.slice(0, 1)) checkLastmod(lastmod, tell, context);
    const claims = checkClaims(entry, tell);
    if (loc === undefined) return;
    const first = locs.get(loc);
    if (first !== undefined) {
      const seen = `<loc>${shown(loc)}</loc> is in line ${first} already.`;
      tell(entry.line, { clause: ENTRY, level: 'SHOULD', sort: 'twice', seen, remedy: 'List each resource once.' });
      return;
    }
    if (locs.size < MAX_REMEMBERED) locs.set(loc, entry.line);
    onClaim({ where: list.where, line: entry.line, loc, ...claims });
  });
  if (list.head.entryCount > 0) return;
  const remedy = 'List the pages that there are, or take it out of the Capability List.';
  tell(list.head.root.line, {
    clause: ADVICE,
    sort: 'empty',
    seen: 'It is a Resource List without resources.',
    remedy,
  });
}

/** Checks `at` of the root. */
export function checkAt({ head }: SeenList, tell: Tell, context: ListContext): void {
  const [md] = head.mds;
  if (md === undefined) return;
  if (md.attributes.get('at') === undefined) {
    const remedy = correction(withAttribute(md, 'at', '2022-11-06T10:00:00Z'), 'Give the time of which it speaks.');
    tell(md.line, { clause: ENTRY, sort: 'no at', seen: `${shown(md.written)} ${lacking(md, 'at')}.`, remedy });
  }
  checkWrittenTime(md, { name: 'at', clause: ENTRY }, tell, context);
  checkWrittenTime(md, { name: 'completed', clause: ENTRY }, tell, context);
}

/** The valid hash and length of an entry. */
export function checkClaims({ mds: [md] }: RawEntry, tell: Tell): Pick<Claim, 'hash' | 'length'> {
  if (md === undefined) return { hash: undefined, length: undefined };
  return { hash: checkHash(md, tell), length: checkLength(md, tell) };
}

function checkLength(md: RawElement, tell: Tell): number | undefined {
  const length = md.attributes.get('length');
  if (length === undefined) return undefined;
  if (/^\d{1,15}$/.test(length)) return Number(length);
  const seen = `length="${shown(length)}" is no number of bytes.`;
  tell(md.line, { clause: ENTRY, sort: 'length', seen, remedy: 'Write digits alone, like length="8876".' });
  return undefined;
}

function checkHash(md: RawElement, tell: Tell): Claim['hash'] {
  const written = md.attributes.get('hash');
  if (written === undefined) return undefined;
  const known: { readonly algorithm: string; readonly hex: string }[] = [];
  for (const each of written.split(/\s+/).slice(0, 10)) {
    const [, algorithm = '', hex = ''] = /^([a-z0-9-]+):(.*)$/i.exec(each) ?? [];
    const digits = ALGORITHMS.get(algorithm);
    if (digits !== undefined && hex.length === digits && /^[0-9a-f]+$/i.test(hex)) {
      known.push({ algorithm, hex: hex.toLowerCase() });
      continue;
    }
    const seen = `hash="${shown(written)}" is ${digits === undefined ? 'of no known kind' : `no ${algorithm} in hexadecimal`}.`;
    const remedy = 'Write the kind, a colon and hexadecimal digits, like hash="sha-256:9f86d0…" (64 digits).';
    tell(md.line, { clause: ENTRY, sort: 'hash', seen, remedy });
  }
  const rank = [...ALGORITHMS.keys()];
  return known.toSorted((left, right) => rank.indexOf(left.algorithm) - rank.indexOf(right.algorithm))[0];
}
