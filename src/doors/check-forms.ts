import { basename, dirname } from 'node:path';
import type { CheckReport } from '../check/check-report.ts';
import { checkBadge } from '../check/forms/badge.ts';
import { encodeJunit, type JunitOptions } from '../check/forms/junit.ts';
import { reportPage } from '../check/forms/report-html.ts';
import { reportVerdict } from '../check/forms/report-verdict.ts';
import { encodeSarif } from '../check/forms/sarif.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { readPackageAsset } from '../io/node/package-assets.ts';
import { packageHomepage, packageVersion } from '../io/node/package-version.ts';

/** Formats of a report for programs and browsers. */
export type ReportForm = 'json' | 'sarif' | 'junit' | 'html' | 'badge';

export const REPORT_FORMS: readonly ReportForm[] = ['json', 'sarif', 'junit', 'html', 'badge'];

/** A report in one of its formats, as the text of a file. */
export function formReport(report: CheckReport, form: ReportForm, options: JunitOptions = {}): string {
  switch (form) {
    case 'json':
      return `${JSON.stringify(report)}\n`;
    case 'sarif':
      return encodeSarif(report, { version: packageVersion(), homepage: packageHomepage() });
    case 'junit':
      return encodeJunit(report, options);
    case 'html':
      return String(reportPage(report, new TextDecoder().decode(readPackageAsset('dashboard.css'))));
    case 'badge':
      return String(checkBadge(reportVerdict(report)));
  }
}

/** Atomically replaces the file of an earlier run. Creates missing parent folders. */
export async function writeReportFile(file: string, text: string): Promise<void> {
  await createFileFolder(dirname(file)).replace(basename(file), new TextEncoder().encode(text));
}
