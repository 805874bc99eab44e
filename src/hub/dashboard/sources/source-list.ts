import { oneOf } from '../../config/setting-decoders.ts';
import { html, NO_HTML } from '../../http/html.ts';
import { count, counted } from '../../http/html-pieces.ts';
import { anyText, queryFields, wholeNumberText } from '../../routes/query-fields.ts';
import type { Watch } from '../../watch/watch-port.ts';
import { emptyState, noSourceYet, pager } from '../pieces.ts';
import { type AskedView, presentFields, type View } from '../view.ts';
import { listSchema, objectSchema, SOURCE_LINE_SCHEMA, WHOLE_SCHEMA } from '../view-schemas.ts';
import { boardOf, isNamedBy } from './source-board.ts';
import { SOURCE_WORDS, type SourceLine, type SourceWord, sourceLine } from './source-line.ts';
import { sourceLinesTable } from './source-table.ts';

export interface SourceListFacts {
  readonly total: number;
  /** How many fit. */
  readonly fitting: number;
  readonly from: number;
  readonly words?: string;
  readonly state?: SourceWord;
  readonly sources: readonly SourceLine[];
}

const PAGE = 50;
const MAX_FROM = 1_000_000;
const MAX_WORDS = 200;

export interface SourceListParts {
  readonly watch: Pick<Watch, 'sources'>;
  now(): number;
}

/** Every source, those that need somebody first, found by words and by state. */
export function sourceListView({ watch, now }: SourceListParts): View<SourceListFacts> {
  return {
    path: '/sources',
    summary: 'Every source. Those that need attention come first.',
    parameters: [
      { name: 'q', in: 'query', description: 'Words in the id, title or address.', schema: { type: 'string' } },
      { name: 'state', in: 'query', description: 'Only sources in this state.', schema: { enum: SOURCE_WORDS } },
      { name: 'from', in: 'query', description: 'Number of sources to skip.', schema: { type: 'integer', minimum: 0 } },
    ],
    schema: objectSchema({
      total: WHOLE_SCHEMA,
      fitting: { ...WHOLE_SCHEMA, description: 'Number of sources that match.' },
      from: WHOLE_SCHEMA,
      'words?': { type: 'string' },
      'state?': { enum: SOURCE_WORDS },
      sources: listSchema(SOURCE_LINE_SCHEMA),
    }),
    read({ query }) {
      const shape = { q: anyText, state: oneOf(SOURCE_WORDS), from: wholeNumberText(0, MAX_FROM) };
      const { q = '', state, from = 0 } = queryFields(shape, presentFields(query, ['q', 'state', 'from']));
      const words = q.slice(0, MAX_WORDS);
      const all = watch.sources();
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      const { ranked } = boardOf(
        all,
        (source, { word }) => (state === undefined || word === state) && isNamedBy(source, wanted),
      );
      return {
        total: all.length,
        fitting: ranked.length,
        from,
        ...(words !== '' && { words }),
        ...(state !== undefined && { state }),
        sources: ranked.slice(from, from + PAGE).map((source) => sourceLine(source, now())),
      };
    },
    show: (facts, asked) => ({ title: 'Sources', place: 'sources', main: listHtml(facts, asked) }),
  };
}

function listHtml(facts: SourceListFacts, asked: AskedView) {
  const { root } = asked;
  const { sources, fitting, total, from, words = '', state } = facts;
  return html`<h1>Sources</h1>
<p class="faint">${counted(total, 'source')} watched.</p>
<form class="fields" method="get" action="${root}sources" role="search">
<div><label for="q">Words</label><input id="q" name="q" type="search" value="${words}"></div>
<div><label for="state">State</label><select id="state" name="state"><option value="">any</option>${SOURCE_WORDS.map((word) => html`<option${word === state ? html` selected` : NO_HTML}>${word}</option>`)}</select></div>
<button>Show</button>
</form>
<section id="sources" data-live="${root}events">
${
  sources.length === 0
    ? total === 0
      ? noSourceYet(asked)
      : emptyState('No source fits.', 'Name fewer words, or another state.')
    : sourceLinesTable(
        sources,
        `${count(from + 1)} to ${count(from + sources.length)} of ${count(fitting)}. Those that need somebody come first.`,
        { root },
      )
}
</section>
${pager({
  newer: from > 0 ? pageLink(facts, Math.max(0, from - PAGE), root) : undefined,
  older: from + sources.length < fitting ? pageLink(facts, from + PAGE, root) : undefined,
})}`;
}

function pageLink({ words, state }: SourceListFacts, from: number, root: string): string {
  const query = new URLSearchParams({ ...(words && { q: words }), ...(state && { state }), from: String(from) });
  return `${root}sources?${query}`;
}
