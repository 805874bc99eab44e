import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import type { RefusalWords } from '../form.ts';
import type { FrameFacts } from '../page-frame.ts';
import { actionForm, hidden } from '../pieces.ts';
import type { ShownPages } from './pages-html.ts';

/** The values of the fields. */
export interface WatchFields {
  readonly url: string;
  /** JSON of what nobody fills in: kind and addresses. */
  readonly place: string;
  readonly id: string;
  readonly title: string;
  /** Seconds. */
  readonly interval: string;
  readonly ignore: readonly string[];
  readonly only: readonly string[];
  readonly problem?: RefusalWords;
}

type FieldName = 'id' | 'title' | 'interval' | 'rules' | 'only';

const MAX_PROBLEM = 500;

/** The settings of the source, with the pages before them in the same form: what is ticked there is sent with it. */
export function watchForm(fields: WatchFields, { root, viewer }: FrameFacts, pages?: ShownPages): Html {
  const { url, place, id, title, interval, ignore, only, problem } = fields;
  const wrong = problem === undefined ? undefined : fieldOf(problem);
  // Rules that have a box among the pages are ticked there.
  const written = ignore.filter((rule) => !pages?.rules.has(rule));
  const inside = html`${hidden('url', url)}${hidden('place', place)}
${pages?.html}
<h2>How it is watched</h2>
${problem !== undefined && wrong === undefined ? problemHtml('form', problem) : NO_HTML}<div class="fields">
${fieldHtml({ name: 'id', label: 'Id: a-z, 0-9 and _', value: id, isNeeded: true }, wrong, problem)}
${fieldHtml({ name: 'title', label: 'Title, for people', value: title }, wrong, problem)}
${fieldHtml({ name: 'interval', label: 'Seconds between two looks; empty: the rhythm adapts', value: interval }, wrong, problem)}
</div>
<div class="fields">
${areaHtml({ name: 'rules', label: 'Other rules that leave something out, one on each line: .stamp, /log/**', value: written.join('\n') }, wrong, problem)}
${areaHtml({ name: 'only', label: 'Only this is read, one on each line: main, /docs/**', value: only.join('\n') }, wrong, problem)}
</div>
<p class="actions"><button class="main" formaction="${root}add/watch">Watch this</button>${pages === undefined ? html` <button formaction="${root}add/preview" data-reading>Show the preview again</button>` : NO_HTML}</p>
<p class="reading" role="status" hidden>The pages are being read by these rules.</p>`;
  return html`<div data-picker>${actionForm(`${root}add/preview`, viewer, inside)}</div>`;
}

interface FieldFacts {
  readonly name: FieldName;
  readonly label: string;
  readonly value: string;
  readonly isNeeded?: boolean;
}

function fieldHtml(
  { name, label, value, isNeeded = false }: FieldFacts,
  wrong?: FieldName,
  problem?: RefusalWords,
): Html {
  const isWrong = wrong === name;
  return html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}"${isNeeded ? html` required` : NO_HTML}${isWrong ? html` aria-invalid="true" aria-describedby="${name}-problem"` : NO_HTML}>${isWrong && problem ? problemHtml(name, problem) : NO_HTML}</div>`;
}

function areaHtml({ name, label, value }: FieldFacts, wrong?: FieldName, problem?: RefusalWords): Html {
  const isWrong = wrong === name;
  return html`<div class="wide"><label for="${name}">${label}</label><textarea id="${name}" name="${name}" rows="4" spellcheck="false"${isWrong ? html` aria-invalid="true" aria-describedby="${name}-problem"` : NO_HTML}>${value}</textarea>${isWrong && problem ? problemHtml(name, problem) : NO_HTML}</div>`;
}

function problemHtml(name: string, { detail }: RefusalWords): Html {
  return html`<p class="wrong" id="${name}-problem" role="alert">${outsideText(detail, MAX_PROBLEM)}</p>`;
}

/** The field that the problem names, if any. */
function fieldOf({ setting = '', code }: RefusalWords): FieldName | undefined {
  if (code === 'SourceExistsError') return 'id';
  const [, name = ''] = /^([a-zA-Z]+)/.exec(setting) ?? [];
  return FIELD_OF[name];
}

const FIELD_OF: Readonly<Record<string, FieldName>> = {
  id: 'id',
  title: 'title',
  intervalSeconds: 'interval',
  ignore: 'rules',
  only: 'only',
};
