/** What an audit says of a place with a provable log. */
export interface AuditReport {
  /** Everything that was to be looked at was looked at, and nothing was wrong. */
  readonly ok: boolean;
  /** The log itself goes on from what was seen before, and all its entries were read. */
  readonly proven: boolean;
  /** How many entries the log has that was proven; of one that was not, the size of the last that was. */
  readonly size: number;
  /** How many it had at the last look; absent at the first one. */
  readonly previousSize?: number;
  /** What is proven to be wrong. */
  readonly findings: readonly AuditFinding[];
  /** What could not be looked at, and why: of that nothing is said. */
  readonly unread: readonly string[];
  /** What a person should know, and is nobody's fault. */
  readonly notes: readonly string[];
  /** The key that the log was held against, as text. */
  readonly vkey?: string;
  /** When the newest entry with a time was written. */
  readonly newest?: string;
  /** What proves the findings, as files. */
  readonly evidence: readonly EvidenceFile[];
}

export interface AuditFinding {
  /** One sentence: what is wrong. */
  readonly what: string;
  /** The document or the file of the log. */
  readonly where: string;
  /** What shows it. */
  readonly evidence: Evidence;
}

/** What may be so only because log and feeds were not read in the same moment. */
export interface OpenFinding {
  readonly finding: AuditFinding;
  /** Whether the log explains it by now. Absent where only the feed can, by what it tells the next time. */
  readonly isLogged?: () => boolean;
}

/** Of open findings: two looks that find the same have the same key. */
export function keyOf({ finding: { what, where } }: OpenFinding): string {
  return `${where} ${what}`;
}

export type Evidence = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface EvidenceFile {
  readonly name: string;
  readonly text: string;
}

/** Both are told in full; more of one kind only by their number. */
export const MAX_FINDINGS = 1000;
