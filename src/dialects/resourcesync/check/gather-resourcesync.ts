import type { DocumentSource } from '../../../check/read-document.ts';
import type { CheckOutcome } from '../../../codecs/primitives/ledger.ts';
import { WELL_KNOWN_PATH } from '../../../codecs/resourcesync/wire.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { openAudit } from './audit.ts';
import { addressOf, type Bench, type ResourceSyncCheckParts } from './bench.ts';
import { checkAtom } from './check-atom.ts';
import { openFaultBook } from './fault-book.ts';
import { type Answer, type Library, openLibrary } from './library.ts';
import { readList } from './read-list.ts';
import { reasonsOf } from './reasons.ts';
import { saidSite } from './said-site.ts';
import { DESCRIPTION, walkDescription } from './walk.ts';

export interface GatheredResourceSync {
  readonly outcome: CheckOutcome;
  readonly notes: readonly string[];
  /** What could not be read now, and why. Of that nothing is said. */
  readonly unread: readonly string[];
}

/**
 * Reads the Source Description of a site and all that it leads to, and holds it against the clauses. `url` is any of a live one.
 *
 * Throws when nothing can be asked for now, or when a folder holds no site.
 */
export async function checkResourceSync(
  source: Pick<DocumentSource, 'name' | 'live' | 'read'>,
  parts: ResourceSyncCheckParts,
  url?: URL,
): Promise<GatheredResourceSync> {
  const library = openLibrary(source, parts);
  const { answer, address, isElsewhere } = await findDescription(library, url);
  if (answer.kind === 'unread') {
    throw library.refusal ?? new UnreadableTargetError(source.name, 'it could not be asked', 'retry-later');
  }
  if (answer.kind === 'absent' && !source.live && (await library.ask('/index.html')).kind !== 'there') {
    throw new UnreadableTargetError(
      source.name,
      `it holds no ResourceSync: no ${WELL_KNOWN_PATH.slice(1)}`,
      'fix-input',
    );
  }
  const book = openFaultBook();
  book.looked('RS-S1');
  const site = siteOf(answer, address, url);
  const bench: Bench = { ...parts, book, site };
  if (answer.kind === 'absent' || isElsewhere) noteAbsence(answer, url, bench);
  if (answer.kind === 'there') {
    const own = site === undefined ? address : addressOf(new URL(address, site).href);
    const list = readList(answer.document, own ?? address, DESCRIPTION, bench);
    const audit = openAudit(library, bench);
    if (list !== undefined) await walkDescription(list, { library, audit, bench, visited: new Set([list.url]) });
    await audit.close();
    await checkAtom(library, bench);
  }
  if (library.isSpent) book.remark('The site has more documents and pages than are asked for in one check.');
  const { notes, ...outcome } = book.close(reasonsOf());
  return { outcome, notes, unread: library.unread };
}

interface FoundDescription {
  readonly answer: Answer;
  /** Where it was asked for: a URL, or a path of a folder. */
  readonly address: string;
  /** Whether it is below the path that was named, and not where readers look. */
  readonly isElsewhere: boolean;
}

async function findDescription(library: Library, url: URL | undefined): Promise<FoundDescription> {
  const address = url === undefined ? WELL_KNOWN_PATH : new URL(WELL_KNOWN_PATH, url).href;
  const answer = await library.ask(address);
  const below = url === undefined ? address : new URL(WELL_KNOWN_PATH.slice(1), new URL('.', url)).href;
  if (answer.kind !== 'absent' || below === address) return { answer, address, isElsewhere: false };
  const other = await library.ask(below);
  if (other.kind !== 'there') return { answer, address, isElsewhere: false };
  return { answer: other, address: below, isElsewhere: true };
}

function noteAbsence(answer: Answer, url: URL | undefined, { book }: Bench): void {
  const place = url === undefined ? WELL_KNOWN_PATH : new URL(WELL_KNOWN_PATH, url).href;
  const where = answer.kind === 'absent' ? answer.where : place;
  const seen =
    answer.kind === 'absent'
      ? answer.seen
      : 'It is not there but below the path that was named, where readers do not look.';
  const remedy = `Serve a Source Description at ${WELL_KNOWN_PATH} of the host. Hosts that leave out folders with a dot need a setting; GitHub Pages: an empty file .nojekyll.`;
  book.note({ clause: 'RS-S1', where, sort: 'absent', seen, remedy });
}

/** A live site is where its description is served. A folder does not say it: what its description says counts. */
function siteOf(answer: Answer, address: string, url: URL | undefined): URL | undefined {
  if (answer.kind !== 'there') return url;
  if (url !== undefined) {
    const { servedBy = address } = answer.document;
    return new URL('..', servedBy);
  }
  return saidSite(answer.document.bytes);
}
