import { boundaryOf } from '../../../codecs/aicf/boundary.ts';
import type { Action, Change } from '../../../model/change.ts';
import { Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { badge, timeHtml } from '../../http/html-pieces.ts';
import { foreignLink } from '../../http/html-text.ts';

/** A change as a line of a table shows it. */
export interface ChangeLine {
  readonly id: string;
  readonly time: string;
  readonly source: string;
  readonly action: Action;
  readonly url: string;
  readonly anchor?: string;
  /** The page, or the section of it. */
  readonly boundary: string;
  readonly title?: string;
  readonly heading?: string;
}

export function changeLine(change: Change): ChangeLine {
  const { id, time, source, action, url, anchor, title, heading } = change;
  return {
    id,
    time,
    source,
    action,
    url,
    ...(anchor !== undefined && { anchor }),
    boundary: boundaryOf(change),
    ...(title !== undefined && title.trim() !== '' && { title }),
    ...(heading !== undefined && heading.trim() !== '' && { heading }),
  };
}

/** Changes, one on each line; each leads to its own page. */
export function changeTable(lines: readonly ChangeLine[], caption: string, root: string): Html {
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">When</th><th scope="col">Action</th><th scope="col">What</th><th scope="col">Source</th></tr></thead>
<tbody>
${lines.map((line) => changeRow(line, root))}</tbody>
</table>`;
}

function changeRow(line: ChangeLine, root: string): Html {
  const { id, time, action, source, boundary, title, heading } = line;
  const name = [title, heading].filter((part) => part !== undefined).join(' › ') || boundary;
  return html`<tr><td>${timeHtml(Date.parse(time))}</td><td>${badge(action)}</td><td><a href="${root}changes/${encodeURIComponent(id)}">${outsideText(name)}</a><p class="faint">${outside(boundary)}</p></td><td data-label="in"><a href="${root}sources/${encodeURIComponent(source)}">${outsideText(source)}</a></td></tr>
`;
}

/** A link out of the hub if the address is a web address; else only the text. */
export function outside(address: string, words = address): Html {
  return address === '' ? NO_HTML : new Html(foreignLink(address, String(outsideText(words))));
}
