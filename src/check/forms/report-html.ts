import { hash } from 'node:crypto';
import type { ClauseLevel, Finding } from '../../codecs/primitives/finding.ts';
import { Html, html, NO_HTML, outsideLines, outsideText } from '../../hub/http/html.ts';
import { type CheckReport, reportsIn } from '../check-report.ts';
import { type ReportVerdict, reportVerdict } from './report-verdict.ts';

const MAX_TEXT = 1000;

/** The style classes of the dashboard for each level. */
const LEVEL_LOOKS: Readonly<Record<ClauseLevel, string>> = { MUST: 'error', SHOULD: 'degraded', MAY: 'quiet' };
const VERDICT_LOOKS: Readonly<Record<ReportVerdict, string>> = {
  passing: 'ok',
  warnings: 'degraded',
  failing: 'error',
  unknown: 'pending',
};

/** The verdict with its colour. */
export function verdictHtml(verdict: ReportVerdict): Html {
  return html`<b class="badge ${VERDICT_LOOKS[verdict]}">${verdict}</b>`;
}

/** The findings in each dialect, and every clause. It begins with an `<h2>`. */
export function reportHtml(report: CheckReport): Html {
  return html`${reportsIn(report).map(dialectHtml)}`;
}

/** A standalone page that loads nothing: its style is inline, and its policy names the hash of the style. */
export function reportPage(report: CheckReport, style: string): Html {
  if (/<\/style/i.test(style)) throw new Error('The style would end its element.');
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Check of change feeds · Tidings</title>
${new Html(`<style>${style}</style>`)}
</head>
<body>
<main id="main">
<h1>Check of ${outsideText(report.target, MAX_TEXT)} ${verdictHtml(reportVerdict(report))}</h1>
${reportHtml(report)}</main>
</body>
</html>
`;
}

function dialectHtml(report: CheckReport): Html {
  const { spec, clauses, findings, notes = [], unread = [] } = report;
  const count = (status: string) => clauses.filter((clause) => clause.status === status).length;
  const told = (text: string) => html`<p class="remark">${outsideText(text, MAX_TEXT)}</p>\n`;
  return html`<section class="check">
<h2>${outsideText(spec)}</h2>
<p>${clauses.length} clauses: ${count('pass')} pass, ${count('fail')} fail, ${count('not-checkable')} could not be checked.</p>
${unread.map((text) => html`<p class="warning">Not read: ${outsideText(text, MAX_TEXT)}</p>\n`)}${notes.map(told)}${findings.length === 0 ? html`<p>Nothing is wrong with it.</p>` : findingTable(report)}
<details><summary>Every clause of ${outsideText(spec)}</summary>
${clauseTableHtml(report)}
</details>
</section>
`;
}

function findingTable(report: CheckReport): Html {
  const { findings, spec } = report;
  return html`<table>
<caption>What was found in ${outsideText(spec)}, and what to do.</caption>
<thead><tr><th scope="col">Clause</th><th scope="col">Level</th><th scope="col">What and where</th></tr></thead>
<tbody>
${findings.map((finding, at) => findingRow(finding, isFirstOf(findings, at) ? hintHtml(report, finding.clause) : NO_HTML))}</tbody>
</table>`;
}

function isFirstOf(findings: readonly Finding[], at: number): boolean {
  return findings.findIndex(({ clause }) => clause === findings[at]?.clause) === at;
}

function findingRow({ clause, level, where, seen, remedy }: Finding, hint: Html): Html {
  return html`<tr><td><code>${clause}</code></td><td><b class="badge ${LEVEL_LOOKS[level]}">${level}</b></td><td><p class="faint"><code>${outsideText(where, MAX_TEXT)}</code></p><p>${outsideText(seen, MAX_TEXT)}</p><p><b>To do:</b> ${outsideText(remedy, MAX_TEXT)}</p>${hint}</td></tr>
`;
}

function hintHtml({ hints }: CheckReport, clause: string): Html {
  const hint = hints?.[clause];
  if (hint === undefined) return NO_HTML;
  if ('none' in hint) return html`<p class="faint">${hint.none}</p>`;
  return html`<details><summary>What to write</summary><p>In ${hint.where}:</p><pre>${outsideLines(hint.write)}</pre></details>`;
}

const STATUS_WORDS = {
  pass: ['pass', 'ok'],
  fail: ['fail', 'error'],
  'not-checkable': ['not checked', 'pending'],
} as const;

function clauseTableHtml({ clauses }: CheckReport): Html {
  return html`<table>
<caption>Every clause, in the order of the specification.</caption>
<thead><tr><th scope="col">Clause</th><th scope="col">Result</th><th scope="col">What it asks for</th></tr></thead>
<tbody>
${clauses.map(({ id, status, text, reason }) => {
  const [words, look] = STATUS_WORDS[status];
  return html`<tr><td><code>${id}</code></td><td><b class="badge ${look}">${words}</b></td><td>${text}${reason === undefined ? NO_HTML : html` <span class="faint">${outsideText(reason, MAX_TEXT)}</span>`}</td></tr>\n`;
})}</tbody>
</table>`;
}
