import { AGENT_FEED_CLAUSES } from '../codecs/agent-feed/clauses.ts';
import { checkAicf } from '../codecs/aicf/check.ts';
import { AICF_CLAUSES } from '../codecs/aicf/clauses.ts';
import { checkDocuments, type SeenAIDocument } from '../codecs/aidocument/check-documents.ts';
import { AIWEBINDEX_CLAUSES } from '../codecs/aidocument/clauses.ts';
import { DIFFDELTA_CLAUSES } from '../codecs/diffdelta/clauses.ts';
import type { Clause } from '../codecs/primitives/clause.ts';
import type { ClauseLevel, Finding } from '../codecs/primitives/finding.ts';
import { RESOURCESYNC_CLAUSES } from '../codecs/resourcesync/clauses.ts';
import { checkAgentFeed } from '../dialects/agent-feed/check/gather-agent-feed.ts';
import type { SurfaceCheckParts } from '../dialects/agent-feed/check/seen-surface.ts';
import { gatherAicf } from '../dialects/aicf/check/gather-aicf.ts';
import type { Patience } from '../dialects/diffdelta/check/diffdelta-reader.ts';
import { checkDiffDelta } from '../dialects/diffdelta/check/gather-diffdelta.ts';
import type { ResourceSyncCheckParts } from '../dialects/resourcesync/check/bench.ts';
import { checkAlone } from '../dialects/resourcesync/check/check-alone.ts';
import { checkResourceSync, type GatheredResourceSync } from '../dialects/resourcesync/check/gather-resourcesync.ts';
import type { DocumentSource } from './read-document.ts';

export type CheckedSpec = 'aicf' | 'aiwebindex' | 'diffdelta' | 'agent-feed' | 'resourcesync';

export interface ClauseVerdict {
  readonly id: string;
  readonly level: ClauseLevel;
  /** The obligation, in one line. */
  readonly text: string;
  /** `fail` when a finding is as grave as the clause; milder ones leave it as it is. */
  readonly status: 'pass' | 'fail' | 'not-checkable';
  /** Why it is not checkable. */
  readonly reason?: string;
}

export interface CheckReport {
  readonly target: string;
  readonly spec: CheckedSpec;
  /** Every clause of the specification, in its order. */
  readonly clauses: readonly ClauseVerdict[];
  readonly findings: readonly Finding[];
  /** What was left out of the check, and why. */
  readonly notes?: readonly string[];
  /** What could not be read now, and why: of that the report says nothing. Absent where all was read. */
  readonly unread?: readonly string[];
  /** Of a folder without a wish for one dialect: the reports of the others that it holds. */
  readonly others?: readonly CheckReport[];
}

/** What a codec's own check says. */
interface Outcome {
  readonly findings: readonly Finding[];
  readonly checked: ReadonlySet<string>;
  readonly skipped: ReadonlyMap<string, string>;
}

const GRAVITY: Readonly<Record<ClauseLevel, number>> = { MUST: 2, SHOULD: 1, MAY: 0 };

/** Reads a site and holds it against every clause of AICF. */
export async function checkTarget(source: DocumentSource): Promise<CheckReport> {
  const { seen, withoutDiscovery } = await gatherAicf(source);
  const outcome = withoutDiscovery === undefined ? checkAicf(seen) : leaveOut(checkAicf(seen), withoutDiscovery);
  const clauses = verdictsOf(AICF_CLAUSES, outcome);
  return { target: source.name, spec: 'aicf', clauses, findings: outcome.findings };
}

/** Holds AIDocuments against every clause of AIWebIndex. */
export function checkAIDocuments(target: string, documents: readonly SeenAIDocument[]): CheckReport {
  const outcome = checkDocuments(documents);
  const clauses = verdictsOf(AIWEBINDEX_CLAUSES, outcome);
  return { target, spec: 'aiwebindex', clauses, findings: outcome.findings };
}

/** Reads a service, or one source of it, and holds it against every clause of DiffDelta. `url` is that of a live one. */
export async function checkFeeds(source: DocumentSource, patience: Patience, url?: URL): Promise<CheckReport> {
  const { outcome, notes, unread } = await checkDiffDelta(source, patience, url);
  const clauses = verdictsOf(DIFFDELTA_CLAUSES, outcome);
  return {
    target: source.name,
    spec: 'diffdelta',
    clauses,
    findings: outcome.findings,
    ...(notes.length > 0 && { notes }),
    ...(unread.length > 0 && { unread }),
  };
}

/** Reads the three documents of an origin and holds them against every clause of agent-feed. `url` is any of a live one. */
export async function checkSurfaceOf(
  source: DocumentSource,
  parts: SurfaceCheckParts,
  url?: URL,
): Promise<CheckReport> {
  const { outcome, notes, unread } = await checkAgentFeed(source, parts, url);
  return {
    target: source.name,
    spec: 'agent-feed',
    clauses: verdictsOf(AGENT_FEED_CLAUSES, outcome),
    findings: outcome.findings,
    ...(notes.length > 0 && { notes }),
    ...(unread.length > 0 && { unread }),
  };
}

/** Reads all that the Source Description of a site leads to and holds it against every clause of IFCC-0001. */
export async function checkListsOf(
  source: DocumentSource,
  parts: ResourceSyncCheckParts,
  url?: URL,
): Promise<CheckReport> {
  return listReport(source.name, await checkResourceSync(source, parts, url));
}

/** Holds one document of ResourceSync against the clauses that it can be held against by itself. */
export async function checkListFile(
  file: { readonly name: string; readonly bytes: Uint8Array },
  parts: ResourceSyncCheckParts,
): Promise<CheckReport> {
  return listReport(file.name, await checkAlone(file, parts));
}

function listReport(target: string, { outcome, notes, unread }: GatheredResourceSync): CheckReport {
  return {
    target,
    spec: 'resourcesync',
    clauses: verdictsOf(RESOURCESYNC_CLAUSES, outcome),
    findings: outcome.findings,
    ...(notes.length > 0 && { notes }),
    ...(unread.length > 0 && { unread }),
  };
}

/** Clauses of publishers that are about the discovery document, or need one. */
const OF_DISCOVERY: ReadonlySet<string> = new Set(
  AICF_CLAUSES.filter(({ role }) => role !== 'client')
    .map(({ id }) => id)
    .filter((id) => /^AICF-(?:D\d+|S1|P[456]|X6)$/.test(id)),
);

function leaveOut({ findings, checked, skipped }: Outcome, reason: string): Outcome {
  const isLeft = (id: string) => !OF_DISCOVERY.has(id);
  return {
    // The one finding about clients is that of the version in a discovery document.
    findings: findings.filter(({ clause }) => isLeft(clause) && clause !== 'AICF-C2'),
    checked: new Set([...checked].filter(isLeft)),
    skipped: new Map([...skipped, ...[...OF_DISCOVERY].map((id) => [id, reason] as const)]),
  };
}

function verdictsOf(clauses: readonly Clause[], outcome: Outcome): readonly ClauseVerdict[] {
  return clauses.map(({ id, level, text }) => ({ id, level, text, ...verdictOf(id, level, outcome) }));
}

function verdictOf(id: string, level: ClauseLevel, outcome: Outcome): Pick<ClauseVerdict, 'status' | 'reason'> {
  const { findings, checked, skipped } = outcome;
  if (findings.some((finding) => finding.clause === id && GRAVITY[finding.level] >= GRAVITY[level])) {
    return { status: 'fail' };
  }
  if (checked.has(id)) return { status: 'pass' };
  return { status: 'not-checkable', reason: skipped.get(id) ?? 'It was not looked at.' };
}
