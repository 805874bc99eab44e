import { clauseTable } from '../codecs/primitives/clause.ts';
import { openLedger } from '../codecs/primitives/ledger.ts';
import type { Checker } from '../dialects/checker.ts';
import { type DocumentSource, hasDocument } from '../dialects/document-source.ts';
import type { FixHints } from '../dialects/fix-hint.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { type CheckReport, checkReportOf } from './check-report.ts';

/** Effects of hosts on every dialect. These rules are ours, not from a specification. */
const HOSTING = 'hosting';

export const HOSTING_CLAUSES = clauseTable(
  [
    'HOST-1\tMUST\thost\tWhat is published below `.well-known` is served: the folder is not left out of an upload.',
    'HOST-2\tSHOULD\thost\tA path that is not there answers 404, not 200 with a page.',
    'HOST-3\tSHOULD\thost\tBytes arrive as their digest says: nothing on the way changes or recompresses them.',
  ].join('\n'),
);

export const HOSTING_HINTS: FixHints = {
  'HOST-1': {
    where:
      'the step that uploads the site; for GitHub Pages in .github/workflows, and an empty file `.nojekyll` in the site',
    write: '- uses: actions/upload-pages-artifact@v5\n  with:\n    path: site\n    include-hidden-files: true',
  },
  'HOST-2': {
    where:
      'the root of the site: hosts such as Cloudflare Pages serve the home page for every missing path until there is one',
    write: '404.html',
  },
  'HOST-3': {
    where: 'the proxy or CDN in front of the server; or name no digests',
    write: 'Cache-Control: no-transform',
  },
};

/** Nobody publishes this. */
const NO_DOCUMENT = '.well-known/tidings-no-such-document';

export interface HostedPlace extends DocumentSource {
  /** Documents that at first did not match the digest in their response. */
  readonly altered: readonly string[];
}

/**
 * Problems with the hosting of a place; undefined if there are none. What cannot be read now counts for nothing. `lostBy`: the dialects whose
 * documents below `.well-known` may be lost, since none was found.
 */
export async function checkHosting(
  place: HostedPlace,
  lostBy: readonly Pick<Checker, 'traces'>[],
): Promise<CheckReport | undefined> {
  const ledger = openLedger(HOSTING_CLAUSES);
  try {
    ledger.looked('HOST-1');
    const lost = await lostFolder(place, lostBy);
    if (lost !== undefined) ledger.note({ clause: 'HOST-1', ...lost });
    if (place.live) {
      ledger.looked('HOST-2', 'HOST-3');
      await lookForNothing(place, (where, told) => ledger.note({ clause: 'HOST-2', where, ...told }));
    } else ledger.skipped('A folder does not say how its host answers.', 'HOST-2', 'HOST-3');
  } catch (error) {
    if (!(error instanceof UnreadableTargetError)) throw error;
  }
  for (const where of place.altered) {
    const seen =
      'Its bytes did not have the digest that came with them, but had it when they were asked for uncompressed.';
    const remedy = 'Let nothing compress or change what is served with a digest, or serve it without one.';
    ledger.note({ clause: 'HOST-3', where, seen, remedy });
  }
  const outcome = ledger.close();
  if (outcome.findings.length === 0) return undefined;
  return checkReportOf({ target: place.name, spec: HOSTING }, HOSTING_CLAUSES, outcome);
}

interface Told {
  readonly seen: string;
  readonly remedy: string;
}

/** Nothing exists below `.well-known`, but files of a dialect exist elsewhere. */
async function lostFolder(
  place: DocumentSource,
  checkers: readonly Pick<Checker, 'traces'>[],
): Promise<(Told & { readonly where: string }) | undefined> {
  const all = checkers.flatMap(({ traces }) => traces ?? []);
  // For a live site this is known: it is how no dialect was found.
  for (const { wellKnown } of place.live ? [] : all)
    if (await hasDocument(place, addressesOf(place, wellKnown))) return undefined;
  for (const { wellKnown, beside } of all) {
    for (const path of beside) {
      if (!(await hasDocument(place, addressesOf(place, path)))) continue;
      const where = place.live ? (addressesOf(place, wellKnown).at(-1) ?? '') : place.name + wellKnown;
      const seen = `It is not there, though ${path} is: a host or an upload step that drops names with a dot in front left it out.`;
      return { where, seen, remedy: 'Upload the folder .well-known, too.' };
    }
  }
  return undefined;
}

/** At the root of the host, and below the path that was named. */
function addressesOf({ url }: DocumentSource, path: string): readonly string[] {
  if (url === undefined) return [path];
  return [...new Set([new URL(path, url).href, new URL(path.slice(1), new URL('.', url)).href])];
}

async function lookForNothing(place: DocumentSource, tell: (where: string, seen: Told) => void): Promise<void> {
  const address = new URL(NO_DOCUMENT, new URL('.', place.url)).href;
  const answer = await place.read(address);
  if (answer.kind === 'unread' || answer.status !== 200) return;
  tell(answer.where, {
    seen: 'A path that nobody published answers 200, so that what is missing looks as if it were there.',
    remedy: 'Have the host answer 404 for what is not there.',
  });
}
