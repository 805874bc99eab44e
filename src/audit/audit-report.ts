/** The result of an audit of a place with a provable log. */
export interface AuditReport {
  /** Everything was checked, and nothing was wrong. */
  readonly ok: boolean;
  /** The log itself continues what was seen before, and all its entries were read. */
  readonly proven: boolean;
  /** The number of entries of the proven log; if it was not proven, of the last one that was. */
  readonly size: number;
  /** The number of entries at the last look; absent at the first one. */
  readonly previousSize?: number;
  /** What is proven to be wrong. */
  readonly findings: readonly AuditFinding[];
  /** What could not be checked, and why. The report says nothing about these. */
  readonly unread: readonly string[];
  /** What a person should know, but is not a fault. */
  readonly notes: readonly string[];
  /** The key that verified the log, as text. */
  readonly vkey?: string;
  /** When the newest entry with a time was written. */
  readonly newest?: string;
  /** The proof of the findings, as files. */
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

/** A finding that may exist only because log and feeds were not read at the same moment. */
export interface OpenFinding {
  readonly finding: AuditFinding;
  /** Whether the log explains it by now. Absent if only the feed can, by a later report. */
  readonly isLogged?: () => boolean;
}

/** Equal for open findings that two looks have in common. */
export function keyOf({ finding: { what, where } }: OpenFinding): string {
  return `${where} ${what}`;
}

export type Evidence = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface EvidenceFile {
  readonly name: string;
  readonly text: string;
}

/** Findings up to this number are reported in full; of more, only the number. */
export const MAX_FINDINGS = 1000;
