import { type Bench, type SeenList, shown } from './bench.ts';
import type { Claim } from './check-resource-list.ts';
import { AUDIT, type Fault } from './fault-book.ts';
import type { Library } from './library.ts';
import { lieOf } from './lie-of.ts';
import { openPackageAudit } from './package-audit.ts';
import { openUnlistedPages } from './unlisted-pages.ts';

const MAX_AUDITED = 50;
/** A list may not have more. */
const MAX_OF_LIST = 50_000;

const ELSEWHERE = 'what the Resource Lists say of pages was not compared. Check the site itself for that.';

/** Holds what Resource Lists and dumps claim against what is served. */
export interface Audit {
  add(claim: Claim): void;
  /** To be called behind each list. Of a folder every file is read then; of a live site some, when all lists were read. */
  flush(): Promise<void>;
  /** The packages that a dump lists: of a folder they are read, of a live site only asked for. */
  dump(list: SeenList): Promise<void>;
  /** What a collection with a Resource List describes: pages of a folder below it that no list has are told. */
  covered(describes: string | undefined): void;
  close(): Promise<void>;
}

export function openAudit(library: Pick<Library, 'ask' | 'isLive' | 'base'>, bench: Bench): Audit {
  const { maxAudited = MAX_AUDITED } = bench;
  let waiting: Claim[] = [];
  let stride = 1;
  let count = 0;
  let isAnyThere = false;
  const gone: Fault[] = [];
  const packages = openPackageAudit(library, bench);
  const unlisted = openUnlistedPages(library, bench);
  const auditAll = async () => {
    const claims = waiting;
    waiting = [];
    for (const claim of claims) {
      const fault = await auditOne(claim, library, bench);
      isAnyThere ||= fault?.sort !== 'gone';
      if (fault === undefined) continue;
      if (fault.sort !== 'gone') bench.book.note(fault);
      else if (gone.length < MAX_OF_LIST) gone.push(fault);
    }
    return claims.length;
  };
  return {
    add(claim) {
      unlisted.listed(claim.loc);
      if (claim.hash === undefined && claim.length === undefined && !library.isLive) return;
      count += 1;
      if (!library.isLive && waiting.length < MAX_OF_LIST) waiting.push(claim);
      else if (library.isLive && (count - 1) % stride === 0) waiting.push(claim);
      if (!library.isLive || waiting.length <= 2 * maxAudited) return;
      // Every second one stays, so that what is asked for is spread over all lists.
      waiting = waiting.filter((_, at) => at % 2 === 0);
      stride *= 2;
    },
    async flush() {
      if (!library.isLive) await auditAll();
    },
    dump: (list) => packages.check(list),
    covered: (describes) => unlisted.covered(describes),
    async close() {
      packages.close();
      if (waiting.length > maxAudited) {
        const every = waiting.length / maxAudited;
        waiting = Array.from({ length: maxAudited }, (_, at) => waiting[Math.floor(at * every)]).flatMap(
          (each) => each ?? [],
        );
      }
      const audited = await auditAll();
      if (isAnyThere) await unlisted.close();
      if (isAnyThere || library.isLive) for (const fault of gone) bench.book.note(fault);
      else if (gone.length > 0) bench.book.remark(`No page is in the folder: ${ELSEWHERE}`);
      if (audited < count && library.isLive) {
        bench.book.remark(`Of ${count} resources in the Resource Lists ${audited} were asked for and compared.`);
      }
    },
  };
}

async function auditOne(
  claim: Claim,
  library: Pick<Library, 'ask' | 'isLive'>,
  bench: Bench,
): Promise<Fault | undefined> {
  const { where, line, loc } = claim;
  const { site, isOnSite } = bench;
  if (site !== undefined && !isOnSite(loc, [site])) return undefined;
  let firstLie: { readonly sort: string; readonly seen: string } | undefined;
  for (const address of library.isLive ? [loc] : filesOf(loc)) {
    const answer = await library.ask(address, { isResource: true });
    if (answer.kind === 'unread' || (answer.kind === 'absent' && answer.isTooLarge === true)) return undefined;
    const lie =
      answer.kind === 'there'
        ? lieOf(claim, answer.document)
        : { sort: 'gone', seen: `${shown(loc)} is in the list and is not there. ${answer.seen}` };
    if (lie === undefined) return undefined;
    // Of several files that an address may stand for, the one that is there counts.
    if (firstLie === undefined || (firstLie.sort === 'gone' && lie.sort !== 'gone')) firstLie = lie;
  }
  if (firstLie === undefined) return undefined;
  const remedy =
    firstLie.sort === 'gone'
      ? 'Take it out of the list; clients that copy the site fail on it.'
      : 'Write the list anew whenever files change, or leave hash and length out: clients that compare fetch it again and again.';
  return { clause: AUDIT, where, line, ...firstLie, remedy };
}

/** The files of a folder that servers give for an address. */
function filesOf(loc: string): string[] {
  const { origin, pathname } = new URL(loc);
  const names = pathname.endsWith('/') ? ['index.html', 'index.htm'] : ['', '.html', '/index.html'];
  return names.map((name) => origin + pathname + name);
}
