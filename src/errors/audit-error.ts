import { TidingsError } from './tidings-error.ts';

/** A provable log, or a feed beside it, is proven to be wrong. Nothing from it was delivered. */
export class AuditFailedError extends TidingsError {
  override readonly name = 'AuditFailedError';
  readonly recovery = 'stop';
  /** One sentence each. */
  readonly findings: readonly string[];
  /** The folder with the signed checkpoints that prove it. */
  readonly evidenceFolder: string | undefined;

  constructor(place: string, findings: readonly string[], evidenceFolder?: string) {
    const more = findings.length > 1 ? ` And ${findings.length - 1} more: tidings audit ${place} names them.` : '';
    const kept = evidenceFolder === undefined ? '' : ` What proves it is kept in ${evidenceFolder}.`;
    super(
      `${place} failed its audit. ${findings[0] ?? ''}${more}${kept} Ask its operator, and show others what you have.`,
    );
    this.findings = findings;
    this.evidenceFolder = evidenceFolder;
  }
}
