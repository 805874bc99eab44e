import type { CheckReport } from '../../../check/check-report.ts';
import type { ReportVerdict } from '../../../check/forms/report-verdict.ts';
import type { CheckableSite } from '../../site-checks/site-checks.ts';
import { listSchema, objectSchema } from '../view-schemas.ts';

/** What `/check` shows: a report for a requested address, else what can be checked. */
export interface SiteCheckFacts {
  readonly url?: string;
  readonly checkedAt?: string;
  readonly verdict?: ReportVerdict;
  readonly report?: CheckReport;
  /** Why there is no report. */
  readonly failure?: string;
  readonly sites?: readonly CheckableSite[];
}

const text = { type: 'string' };

export const CHECK_FACTS_SCHEMA = objectSchema({
  'url?': text,
  'checkedAt?': { type: 'string', format: 'date-time' },
  'verdict?': { enum: ['passing', 'warnings', 'failing', 'unknown'] },
  'report?': { type: 'object', description: 'The report, as `tidings check --json --fix-hints` prints it.' },
  'failure?': text,
  'sites?': listSchema(objectSchema({ source: text, title: text, url: text })),
});
