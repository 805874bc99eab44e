import type { Clause } from '../primitives/clause.ts';
import { type CheckOutcome, type Ledger, openLedger } from '../primitives/ledger.ts';
import { isFound, type SeenDocument } from '../primitives/seen-document.ts';
import { checkArchives } from './check-archive.ts';
import { checkDiscovery } from './check-discovery.ts';
import { checkArchivedFeed, checkFeed } from './check-feed.ts';
import { checkHead } from './check-head.ts';
import { openResponseCheck } from './check-responses.ts';
import { isSameCursor } from './check-stop.ts';
import { DIFFDELTA_CLAUSES } from './clauses.ts';
import { valueInMessage } from './read-object.ts';
import { type FeedFacts, feedFactsOf, type SeenDiscovery, type SeenSource } from './seen.ts';

const TWO_RUNS = 'It takes two runs to see; one reading cannot show it.';
const INSIDE = 'Only the server itself knows.';
const OWN_CHOICE = 'An option of the server; leaving it out is fine.';
const CURSOR_PART = 'A part of the cursor, which is recomputed as a whole: see DD-C1.';
/** Why some clauses for servers cannot be decided from outside, or from the available documents. */
const REASONS: Readonly<Record<string, string>> = {
  ...because('No source that was read is in error or disabled.', 'E1 E2 E3 E4 E5 E6 E7 E8 E10'),
  ...because('No source that was read is degraded.', 'F2 F3 F4 F5'),
  ...because(TWO_RUNS, 'C2 G2 G6 P1 E13 K13 V3 F1'),
  ...because(INSIDE, 'U3 U4 U5 U8 U10 K14 K15'),
  ...because(OWN_CHOICE, 'K12 V1 I4 I7 U11 U12 U13 U14 X1 E12'),
  ...because(CURSOR_PART, 'K2 K3 K4 K5 K6 K7 K8 K9 K10 K11'),
  'DD-U15': 'No key was sent.',
};
const WITH_KEY: Readonly<Record<string, string>> = {
  'DD-U1': 'A key was sent with every request.',
  'DD-U15': 'Whether the server knows of keys only itself can say.',
};

const OF_ANSWERS = because('A folder is not served; check the live site.', 'T1 T2 T6 T13 U1 U6');

function because(reason: string, clauses: string): Record<string, string> {
  return Object.fromEntries(clauses.split(' ').map((name) => [`DD-${name}`, reason]));
}

/** A check that takes one piece at a time, so that only one has to be in memory. */
export interface DiffDeltaCheck {
  discovery(seen: SeenDiscovery): void;
  source(seen: SeenSource): void;
  /** An archive before the last one, of a source or, if `id` is undefined, of all sources. */
  archive(document: SeenDocument, id: string | undefined): void;
  /** The feed of all sources, and which of them there are. */
  global(seen: SeenSource, listed: readonly string[]): void;
  schema(document: SeenDocument): void;
  close(): CheckOutcome;
}

export interface SeenHow {
  /** Whether it was read by HTTP, not from a folder. */
  readonly isLive: boolean;
  /** Whether requests had a key. */
  readonly hasKey: boolean;
}

const MANY_SOURCES = 100;

/** Checks a service against every clause. Each clause ends up checked, found at fault, or skipped with a reason. */
export function openDiffDeltaCheck({ isLive, hasKey }: SeenHow): DiffDeltaCheck {
  const ledger = openLedger(DIFFDELTA_CLAUSES);
  for (const clause of DIFFDELTA_CLAUSES) ledger.skipped(reasonOf(clause, { isLive, hasKey }), clause.id);
  const responses = openResponseCheck({ isLive, hasKey }, ledger);

  const feed = (seen: SeenSource) => {
    const { id, head, headAgain, latest, latestAgain, archive } = seen;
    checkHead(seen, ledger);
    if (latest !== undefined) checkFeed(latest, id, ledger);
    checkArchives(seen, ledger);
    responses.look(head, 'head', feedFactsOf(head)?.cursor);
    responses.look(latest, 'latest', feedFactsOf(latest)?.cursor);
    responses.look(archive, 'archive');
    responses.lookTwice(head, headAgain);
    responses.lookTwice(latest, latestAgain);
    if (isLive && !hasKey && isFound(latest)) ledger.looked('DD-U1');
  };

  return {
    discovery: (seen) => checkDiscovery(seen, ledger),

    source(seen) {
      feed(seen);
      checkTemplate(seen, ledger);
    },

    archive(document, id) {
      checkArchivedFeed(document, id, ledger);
      responses.look(document, 'archive');
    },

    global(seen, listed) {
      feed(seen);
      checkListed(seen, listed, ledger);
    },

    schema: (document) => responses.look(document, 'schema'),

    close() {
      responses.close();
      return ledger.close();
    },
  };
}

/** The reason for skipping a clause that nothing has checked yet. */
function reasonOf({ id, role }: Clause, { isLive, hasKey }: SeenHow): string {
  if (role === 'operator') return 'A rule for operators: clients have no use for it.';
  if (role === 'client') return 'A rule for clients: no feed can show it.';
  const own = (isLive ? undefined : OF_ANSWERS[id]) ?? (hasKey ? WITH_KEY[id] : undefined) ?? REASONS[id];
  return own ?? 'There was nothing to check it on; see the other findings.';
}

/** The template of the discovery document must lead to the feed of the source. */
function checkTemplate(seen: SeenSource, ledger: Ledger): void {
  const { byTemplate, latest, id } = seen;
  if (byTemplate === undefined) return;
  const facts = feedFactsOf(byTemplate);
  const led = feedFactsOf(latest) ?? facts;
  if (isFound(byTemplate) && facts !== undefined && isOfOneRun(facts, led)) return;
  const what = isFound(byTemplate) ? 'does not have the cursor of its feed' : 'cannot be read';
  const seenThere = `What \`diff_by_source_template\` gives for ${valueInMessage(id)} ${what}.`;
  const remedy = 'Let the template lead to the feeds of the sources.';
  ledger.note({ clause: 'DD-D3', where: byTemplate.where, seen: seenThere, remedy });
}

/** The feed of all sources must name those that the manifest lists. */
function checkListed(seen: SeenSource, listed: readonly string[], ledger: Ledger): void {
  const facts = feedFactsOf(seen.latest);
  if (facts === undefined || seen.latest === undefined) return;
  const { where } = seen.latest;
  const named = new Set(facts.sources);
  const missing = listed.filter((id) => !named.has(id));
  if (missing.length > 0) {
    const seenThere = `It does not name ${some(missing)}, which the manifest lists.`;
    // A feed of very many sources may be limited; a feed of few has no reason to be.
    const level = named.size >= MANY_SOURCES ? 'SHOULD' : undefined;
    ledger.note({
      clause: 'DD-R6',
      ...(level && { level }),
      where,
      seen: seenThere,
      remedy: 'Let it hold all sources.',
    });
  }
  // Items and status of a removed source stay in the feed for a while.
  const known = new Set([...listed, ...facts.disabled]);
  const unlisted = listed.length === 0 ? [] : facts.sources.filter((id) => !known.has(id));
  if (unlisted.length === 0) return;
  const seenThere = `It names ${some(unlisted)}, which \`sources_supported\` does not list.`;
  const remedy = 'List every source that is served.';
  ledger.note({ clause: 'DD-D5', level: 'SHOULD', where, seen: seenThere, remedy });
}

/** The second read may show the next run. */
function isOfOneRun(second: FeedFacts, first: FeedFacts | undefined): boolean {
  return isSameCursor(second.cursor, first?.cursor) || isSameCursor(second.prevCursor, first?.cursor);
}

/** The first few of many names, for a message. */
function some(names: readonly string[]): string {
  const first = names.slice(0, 5).map(valueInMessage).join(', ');
  return names.length > 5 ? `${first} and ${names.length - 5} more` : first;
}
