import { oneLine } from '../codecs/primitives/one-line.ts';
import type { ReadEndpoint } from '../doors/agent-feed.ts';
import type { ReadAnswer } from './read-answer.ts';

/** More than a person reads at once; `--json` has them all. */
const MOST_LINES = 200;

/** A report as a person reads it. */
export function readText(report: ReadAnswer): string[] {
  const { origin, trust, applied, skipped, endpoints, events } = report;
  const { resolved, canonical, asserted } = report;
  return [
    `${origin}: ${trust ? 'trusted' : 'not trusted'}, ${feedOf(report)}`,
    `  ${applied} ${applied === 1 ? 'entry' : 'entries'} applied, ${skipped} known or passed over`,
    ...tableOf(endpoints),
    ...(asserted === undefined ? [] : [`Asserted at ${asserted.at}:`, ...tableOf(asserted.endpoints)]),
    ...(resolved === undefined ? [] : [`${oneLine(resolved.endpointId)}: ${resolved.url ?? 'no URL'}`]),
    ...(canonical === undefined ? [] : [`${oneLine(canonical.protocol)}: ${canonical.url ?? 'no URL'}`]),
    ...atMost(events.map(({ event, origin: _, ...facts }) => `event ${event} ${JSON.stringify(facts)}`)),
  ];
}

function feedOf({ feedStatus, suspended }: ReadAnswer): string {
  if (suspended !== undefined) return 'the feed is of a version that is not known';
  return feedStatus === null ? 'nothing was read yet' : `the feed says ${oneLine(feedStatus) || 'nothing'}`;
}

function tableOf(endpoints: readonly ReadEndpoint[]): string[] {
  if (endpoints.length === 0) return ['  no endpoints'];
  const rows = endpoints.map((endpoint) =>
    [
      endpoint.endpointId,
      endpoint.protocol ?? '-',
      endpoint.version,
      endpoint.url ?? 'not announced',
      noteOf(endpoint),
    ].map(oneLine),
  );
  const widths = rows.reduce((most, row) => row.map((cell, at) => Math.max(cell.length, most[at] ?? 0)), [0]);
  return atMost(rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()));
}

function noteOf({ migrations, deprecated }: ReadEndpoint): string {
  const count = Object.keys(migrations).length;
  const changed = count === 0 ? [] : [`${count} ${count === 1 ? 'schema change' : 'schema changes'}`];
  if (deprecated === null) return changed.join('');
  const { sunset, replacement, reason } = deprecated;
  const after = replacement === null ? '' : `, then ${replacement}`;
  return [...changed, `ends ${sunset}${after}${reason === null ? '' : ` (${reason})`}`].join('; ');
}

function atMost(lines: readonly string[]): string[] {
  if (lines.length <= MOST_LINES) return [...lines];
  return [...lines.slice(0, MOST_LINES), `  … and ${lines.length - MOST_LINES} more; --json has them all`];
}
