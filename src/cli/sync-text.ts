import type { SyncReport } from '../doors/sync.ts';
import { ExitCode, exitCodeOf } from './exit-code.ts';
import type { World } from './world.ts';

interface ReportOptions {
  readonly json?: boolean;
  readonly plan?: boolean;
  readonly pricePerMillion?: number;
}

const SHOWN = 20;

/** What was done on stdout, what was not on stderr. */
export async function printSyncReport(report: SyncReport, options: ReportOptions, world: World): Promise<void> {
  for (const line of troubleLines(report)) world.complain(`tidings: ${line}`);
  await world.print(options.json ? jsonLine(report, options) : textLine(report, options));
}

/** A stop counts more than what could not be read. */
export function syncExitCode({ stops, ended, looks, unread, error }: SyncReport): ExitCode {
  if (stops.length + ended.length > 0 || looks.some(({ is }) => is === 'stopped')) return ExitCode.SafetyStop;
  if (error !== undefined) return exitCodeOf(error);
  return unread.length > 0 || looks.some(({ is }) => is === 'failed') ? ExitCode.Incomplete : ExitCode.Done;
}

function troubleLines({ looks, ended, stops, unread, refused, error }: SyncReport): readonly string[] {
  return [
    ...looks.flatMap(({ url, is, message = 'it could not be looked at' }) =>
      is === 'ok' ? [] : [`${url}: ${message}`],
    ),
    ...ended.map(({ source, reason }) => `${source} is out of the index: ${reason}`),
    ...stops.map(({ message }) => message),
    ...(error === undefined ? [] : [error.message]),
    ...shortened(unread.map(({ url, reason }) => `${url} stays as it was: ${reason}`)),
    ...shortened(refused.map(({ url, reason }) => `${url} is left out: ${reason} (--ignore-terms takes it).`)),
  ];
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= SHOWN) return lines;
  return [...lines.slice(0, SHOWN), `… and ${lines.length - SHOWN} more (--json names them all).`];
}

function jsonLine(report: SyncReport, options: ReportOptions): string {
  const { upserts, deletes, unchanged, tokens, embeddings, pages, unread, refused, stops, error } = report;
  const cost = costOf(report, options);
  return JSON.stringify({
    upserts,
    deletes,
    unchanged,
    tokens,
    embeddings,
    ...(cost !== undefined && { cost }),
    pages,
    unread,
    refused,
    stopped: [
      ...report.looks.flatMap(({ url, is, message = '' }) => (is === 'stopped' ? [{ url, reason: message }] : [])),
      ...report.ended.map(({ source, reason }) => ({ source, reason })),
      ...stops.map(({ message }) => ({ reason: message })),
    ],
    ...(error !== undefined && { error: { name: error.name, message: error.message } }),
  });
}

function textLine(report: SyncReport, options: ReportOptions): string {
  const { upserts, deletes, unchanged, tokens, embeddings, pages } = report;
  const cost = costOf(report, options);
  const done = options.plan ? ' would be' : '';
  const paid = cost === undefined ? '' : `, ${cost}`;
  const embedded = embeddings === 0 ? '' : `; ${embeddings} chunks${done} embedded (${tokens} tokens${paid})`;
  const sections = `${upserts} sections${done} written, ${deletes} removed, ${unchanged} unchanged`;
  const plan = options.plan ? ' Nothing was done.' : '';
  return `${sections}, on ${pages.put + pages.removed} of ${pages.put + pages.removed + pages.unchanged} pages${embedded}.${plan}`;
}

/** To the millionth: what a test run costs is less than a cent. */
function costOf({ tokens, embeddings }: SyncReport, { pricePerMillion }: ReportOptions): number | undefined {
  if (pricePerMillion === undefined) return undefined;
  return embeddings === 0 ? 0 : Math.round(tokens * pricePerMillion) / 1e6;
}
