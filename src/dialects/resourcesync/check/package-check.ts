import { ENTRY } from '../../../codecs/resourcesync/issue.ts';
import { checkLoc } from './check-link.ts';
import { type Claim, checkAt, checkClaims } from './check-resource-list.ts';
import { checkEntryNames } from './check-root.ts';
import { checkWrittenTime } from './check-time.ts';
import { falseClaim } from './false-claim.ts';
import {
  addressOf,
  isElsewhere,
  type ListContext,
  lacking,
  linkOf,
  type SeenList,
  shown,
  tellOf,
} from './list-context.ts';
import { AUDIT } from './list-ledger.ts';
import { readRawDocument } from './raw-document.ts';
import { readPackage } from './read-package.ts';
import type { SiteDocuments } from './site-documents.ts';

const MAX_PACKAGES = 20;
const MAX_BYTES = 512 * 1024 * 1024;
/** The most entries that a list may have. */
const MAX_OF_LIST = 50_000;

/** Compares what Resource Dumps and Change Dumps claim with their packages. */
export interface PackageCheck {
  /** Checks everything that one document lists. */
  check(list: SeenList): Promise<void>;
  close(): void;
}

interface PackageClaim extends Claim {
  /** The address of a copy of its manifest. */
  readonly contents: string | undefined;
}

export function openPackageCheck(documents: Pick<SiteDocuments, 'ask' | 'isLive'>, context: ListContext): PackageCheck {
  let listed = 0;
  let read = 0;
  let bytesLeft = MAX_BYTES;

  const faultsOf = async (claim: PackageClaim, capability: string | undefined): Promise<Told[]> => {
    const { loc } = claim;
    const answer = await documents.ask(loc, {
      headersOnly: documents.isLive,
      isResource: true,
      maxFileBytes: bytesLeft,
    });
    if (answer.kind === 'unread' || (answer.kind === 'absent' && answer.isTooLarge === true)) return [];
    read += 1;
    if (answer.kind === 'absent') {
      return [{ sort: 'gone', seen: `${shown(loc)} is in the list and is not there. ${answer.seen}` }];
    }
    if (documents.isLive) return [];
    const { bytes } = answer.document;
    bytesLeft -= bytes.length;
    const untrue = falseClaim(claim, answer.document);
    const { problems, capability: own } = await readPackage(bytes, context.inflate);
    const isOther = own !== undefined && capability !== undefined && own !== `${capability}-manifest`;
    return [
      ...(untrue === undefined ? [] : [untrue]),
      ...problems.map((problem) => ({ sort: `package ${loc}`, seen: `${shown(loc)}: ${shown(problem)}` })),
      ...(isOther
        ? [{ sort: 'kind', seen: `${shown(loc)}: its manifest is a ${own}, and the list a ${capability}.` }]
        : []),
    ];
  };

  return {
    async check(list) {
      const { where } = list;
      const capability = list.head.mds[0]?.attributes.get('capability');
      for (const claim of claimsOf(list, context)) {
        if (isElsewhere(claim.loc, context)) continue;
        listed += 1;
        if (read >= MAX_PACKAGES || bytesLeft <= 0) continue;
        const { line, contents } = claim;
        const note = (told: Told, remedy: string) =>
          context.ledger.note({ clause: AUDIT, where, line, ...told, remedy });
        for (const told of await faultsOf(claim, capability)) note(told, REMEDY);
        if (contents === undefined || isElsewhere(contents, context)) continue;
        const copy = await documents.ask(contents, { headersOnly: true });
        if (copy.kind !== 'absent' || copy.isTooLarge === true) continue;
        const seen = `${shown(contents)} (rel="contents") is not there. ${copy.seen}`;
        note({ sort: 'contents', seen }, 'Put the manifest of the package there, too, or take the link out.');
      }
    },
    close() {
      if (read < listed) context.ledger.remark(`Of ${listed} packages in the dumps ${read} were looked at.`);
    },
  };
}

interface Told {
  readonly sort: string;
  readonly seen: string;
}

const REMEDY = 'Make the dump anew whenever pages change, and write its list after its packages.';

/** What a Resource Dump or a Change Dump lists, each package once. Faults of the document are reported. */
function claimsOf(list: SeenList, context: ListContext): readonly PackageClaim[] {
  const tell = tellOf(list, context);
  const [root] = list.head.mds;
  if (root?.attributes.get('capability') === 'resourcedump') checkAt(list, tell, context);
  else if (root !== undefined) {
    if (root.attributes.get('from') === undefined) {
      const seen = `${shown(root.written)} ${lacking(root, 'from')}.`;
      tell(root.line, {
        clause: ENTRY,
        sort: 'no from',
        seen,
        remedy: 'Give the time from which on it has all changes.',
      });
    }
    for (const name of ['from', 'until']) checkWrittenTime(root, { name, clause: ENTRY }, tell, context);
  }
  const claims = new Map<string, PackageClaim>();
  readRawDocument(list.text, (entry) => {
    checkEntryNames(entry, list, tell);
    const loc = checkLoc(entry, { clause: ENTRY, list }, tell, context);
    const [md] = entry.mds;
    if (md !== undefined)
      for (const name of ['at', 'completed', 'from', 'until'])
        checkWrittenTime(md, { name, clause: ENTRY }, tell, context);
    const claimed = checkClaims(entry, tell);
    if (loc === undefined || claims.size >= MAX_OF_LIST || claims.has(loc)) return;
    const contents = addressOf(linkOf(entry.lns, 'contents')?.attributes.get('href') ?? '');
    claims.set(loc, { where: list.where, line: entry.line, loc, ...claimed, contents });
  });
  return [...claims.values()];
}
