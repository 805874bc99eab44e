import { WELL_KNOWN_PATH } from '../../../codecs/resourcesync/wire.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import type { Checked, CheckParts } from '../../checker.ts';
import type { DocumentSource } from '../../document-source.ts';
import { checkAtom } from './check-atom.ts';
import { openClaimCheck } from './claim-check.ts';
import { addressOf, type ListContext } from './list-context.ts';
import { DESCRIPTION } from './list-kind.ts';
import { openListLedger } from './list-ledger.ts';
import { readList } from './read-list.ts';
import { saidSite } from './said-site.ts';
import { type SiteAnswer, type SiteDocument, SiteDocuments } from './site-documents.ts';
import { walkDescription } from './walk.ts';

/**
 * Reads the Source Description of a site and everything it leads to, and checks it against the clauses.
 *
 * Throws if nothing can be requested now, or if a folder holds no site.
 */
export async function checkResourceSync(
  source: Pick<DocumentSource, 'name' | 'live' | 'url' | 'read'>,
  parts: CheckParts,
): Promise<Checked> {
  const { url } = source;
  const documents = new SiteDocuments(source, parts);
  const found = await findDescription(documents, url);
  const { answer, address } = found;
  if (answer.kind === 'unread') {
    throw documents.refusal ?? new UnreadableTargetError(source.name, 'it could not be asked', 'retry-later');
  }
  if (answer.kind === 'absent' && !source.live && (await documents.ask('/index.html')).kind !== 'there') {
    throw new UnreadableTargetError(
      source.name,
      `it holds no ResourceSync: no ${WELL_KNOWN_PATH.slice(1)}`,
      'fix-input',
    );
  }
  const ledger = openListLedger();
  const context: ListContext = { ...parts, nowMs: parts.now(), ledger, site: siteOf(answer, address, url) };
  ledger.looked('RS-S1');
  if (answer.kind === 'absent' || found.isElsewhere) noteAbsence(answer, url, context);
  if (answer.kind === 'there') await checkSite(answer.document, address, documents, context);
  if (documents.isSpent) ledger.remark('The site has more documents and pages than are asked for in one check.');
  return { ...ledger.close(), unread: documents.unread };
}

async function checkSite(
  description: SiteDocument,
  address: string,
  documents: SiteDocuments,
  context: ListContext,
): Promise<void> {
  const { site } = context;
  const own = site === undefined ? address : addressOf(new URL(address, site).href);
  const list = readList(description, own ?? address, DESCRIPTION, context);
  const claims = openClaimCheck(documents, context);
  if (list !== undefined) await walkDescription(list, { documents, claims, context, visited: new Set([list.url]) });
  await claims.close();
  await checkAtom(documents, context);
}

interface FoundDescription {
  readonly answer: SiteAnswer;
  /** The requested address: a URL, or a path in a folder. */
  readonly address: string;
  /** Whether it was found below the path that was named, where readers do not look. */
  readonly isElsewhere: boolean;
}

async function findDescription(documents: SiteDocuments, url: URL | undefined): Promise<FoundDescription> {
  const address = url === undefined ? WELL_KNOWN_PATH : new URL(WELL_KNOWN_PATH, url).href;
  const answer = await documents.ask(address);
  const below = url === undefined ? address : new URL(WELL_KNOWN_PATH.slice(1), new URL('.', url)).href;
  if (answer.kind !== 'absent' || below === address) return { answer, address, isElsewhere: false };
  const other = await documents.ask(below);
  if (other.kind !== 'there') return { answer, address, isElsewhere: false };
  return { answer: other, address: below, isElsewhere: true };
}

function noteAbsence(answer: SiteAnswer, url: URL | undefined, { ledger }: ListContext): void {
  const place = url === undefined ? WELL_KNOWN_PATH : new URL(WELL_KNOWN_PATH, url).href;
  const where = answer.kind === 'absent' ? answer.where : place;
  const seen =
    answer.kind === 'absent'
      ? answer.seen
      : 'It is not there but below the path that was named, where readers do not look.';
  const remedy = `Serve a Source Description at ${WELL_KNOWN_PATH} of the host. Hosts that leave out folders with a dot need a setting; GitHub Pages: an empty file .nojekyll.`;
  ledger.note({ clause: 'RS-S1', where, sort: 'absent', seen, remedy });
}

/** The site of a live description is where it is served. For a folder, the addresses in the description decide. */
function siteOf(answer: SiteAnswer, address: string, url: URL | undefined): URL | undefined {
  if (answer.kind !== 'there') return url;
  if (url !== undefined) {
    const { servedBy = address } = answer.document;
    return new URL('..', servedBy);
  }
  return saidSite(answer.document.bytes);
}
