import type { LedgerEntry } from '../../../codecs/primitives/ledger.ts';
import type { Claim } from './check-resource-list.ts';
import { falseClaim } from './false-claim.ts';
import { isElsewhere, type ListContext, type SeenList, shown } from './list-context.ts';
import { AUDIT } from './list-ledger.ts';
import { openPackageCheck } from './package-check.ts';
import type { SiteDocuments } from './site-documents.ts';
import { openUnlistedPages } from './unlisted-pages.ts';

/** How many resources of a live site are compared with its Resource Lists. */
const MAX_COMPARED = 50;
/** The most entries that a list may have. */
const MAX_OF_LIST = 50_000;

const ELSEWHERE = 'what the Resource Lists say of pages was not compared. Check the site itself for that.';

/** Compares what Resource Lists and dumps claim with what is served. */
export interface ClaimCheck {
  add(claim: Claim): void;
  /** Call it after each list. In a folder, every file is then read. Of a live site, some resources are read after all lists. */
  flush(): Promise<void>;
  /** Checks the packages that a dump lists: in a folder they are read, of a live site only requested. */
  dump(list: SeenList): Promise<void>;
  /** Takes what a collection with a Resource List describes. Pages of a folder below it that no list has are reported. */
  covered(describes: string | undefined): void;
  close(): Promise<void>;
}

export function openClaimCheck(
  documents: Pick<SiteDocuments, 'ask' | 'isLive' | 'base'>,
  context: ListContext,
): ClaimCheck {
  let waiting: Claim[] = [];
  let stride = 1;
  let count = 0;
  let isAnyThere = false;
  const gone: LedgerEntry[] = [];
  const packages = openPackageCheck(documents, context);
  const unlisted = openUnlistedPages(documents, context);
  const compareAll = async () => {
    const claims = waiting;
    waiting = [];
    for (const claim of claims) {
      const fault = await compareOne(claim, documents, context);
      isAnyThere ||= fault?.sort !== 'gone';
      if (fault === undefined) continue;
      if (fault.sort !== 'gone') context.ledger.note(fault);
      else if (gone.length < MAX_OF_LIST) gone.push(fault);
    }
    return claims.length;
  };
  return {
    add(claim) {
      unlisted.listed(claim.loc);
      if (claim.hash === undefined && claim.length === undefined && !documents.isLive) return;
      count += 1;
      if (!documents.isLive && waiting.length < MAX_OF_LIST) waiting.push(claim);
      else if (documents.isLive && (count - 1) % stride === 0) waiting.push(claim);
      if (!documents.isLive || waiting.length <= 2 * MAX_COMPARED) return;
      // Keep every second claim, so that the requests are spread over all lists.
      waiting = waiting.filter((_, at) => at % 2 === 0);
      stride *= 2;
    },
    async flush() {
      if (!documents.isLive) await compareAll();
    },
    dump: (list) => packages.check(list),
    covered: (describes) => unlisted.covered(describes),
    async close() {
      packages.close();
      if (waiting.length > MAX_COMPARED) {
        const every = waiting.length / MAX_COMPARED;
        waiting = Array.from({ length: MAX_COMPARED }, (_, at) => waiting[Math.floor(at * every)]).flatMap(
          (each) => each ?? [],
        );
      }
      const compared = await compareAll();
      if (isAnyThere) await unlisted.close();
      if (isAnyThere || documents.isLive) for (const fault of gone) context.ledger.note(fault);
      else if (gone.length > 0) context.ledger.remark(`No page is in the folder: ${ELSEWHERE}`);
      if (compared < count && documents.isLive) {
        context.ledger.remark(`Of ${count} resources in the Resource Lists ${compared} were asked for and compared.`);
      }
    },
  };
}

async function compareOne(
  claim: Claim,
  documents: Pick<SiteDocuments, 'ask' | 'isLive'>,
  context: ListContext,
): Promise<LedgerEntry | undefined> {
  const { where, line, loc } = claim;
  if (isElsewhere(loc, context)) return undefined;
  let firstFalse: { readonly sort: string; readonly seen: string } | undefined;
  for (const address of documents.isLive ? [loc] : filesOf(loc)) {
    const answer = await documents.ask(address, { isResource: true });
    if (answer.kind === 'unread' || (answer.kind === 'absent' && answer.isTooLarge === true)) return undefined;
    const untrue =
      answer.kind === 'there'
        ? falseClaim(claim, answer.document)
        : { sort: 'gone', seen: `${shown(loc)} is in the list and is not there. ${answer.seen}` };
    if (untrue === undefined) return undefined;
    // An address may stand for several files; the file that exists counts.
    if (firstFalse === undefined || (firstFalse.sort === 'gone' && untrue.sort !== 'gone')) firstFalse = untrue;
  }
  if (firstFalse === undefined) return undefined;
  const remedy =
    firstFalse.sort === 'gone'
      ? 'Take it out of the list; clients that copy the site fail on it.'
      : 'Write the list anew whenever files change, or leave hash and length out: clients that compare fetch it again and again.';
  return { clause: AUDIT, where, line, ...firstFalse, remedy };
}

/** The files in a folder that servers would return for an address. */
function filesOf(loc: string): string[] {
  const { origin, pathname } = new URL(loc);
  const names = pathname.endsWith('/') ? ['index.html', 'index.htm'] : ['', '.html', '/index.html'];
  return names.map((name) => origin + pathname + name);
}
