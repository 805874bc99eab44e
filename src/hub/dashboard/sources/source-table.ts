import { type Html, html, outsideText } from '../../http/html.ts';
import { badge, timeHtml } from '../../http/html-pieces.ts';
import type { SourceLine } from './source-line.ts';

const MAX_REMARK = 300;

export interface SourceTableParts {
  /** How the page leads to the hub. */
  readonly root: string;
  /** Content below the remarks of a source. */
  readonly below?: (line: SourceLine) => Html;
}

/** Sources, one on each line. */
export function sourceLinesTable(lines: readonly SourceLine[], caption: string, parts: SourceTableParts): Html {
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">State</th><th scope="col">Source</th><th scope="col">Last check</th><th scope="col">Last change</th><th scope="col">Remarks</th></tr></thead>
<tbody>
${lines.map((line) => sourceRow(line, parts))}</tbody>
</table>`;
}

function sourceRow(line: SourceLine, { root, below }: SourceTableParts): Html {
  const { id, title, kind, word, lastCheckAt, lastChangeAt, remarks } = line;
  return html`<tr><td>${badge(word)}</td><td><a href="${root}sources/${encodeURIComponent(id)}">${outsideText(title)}</a><p class="faint"><code>${outsideText(id)}</code> · ${kind}</p></td><td data-label="checked">${timeAt(lastCheckAt)}</td><td data-label="changed">${timeAt(lastChangeAt)}</td><td>${remarks.map((remark) => html`<p>${outsideText(remark, MAX_REMARK)}</p>`)}${below?.(line)}</td></tr>
`;
}

function timeAt(time: string | undefined): Html {
  return timeHtml(time === undefined ? undefined : Date.parse(time));
}
