import { sourceUnknownError } from '../../../errors/refusals.ts';
import { EDITABLE_KEYS } from '../../config/edited-source.ts';
import type { SourceConfig, SourceKind } from '../../config/source-config.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { SOURCE_ID } from '../../routes/source-route-parts.ts';
import type { WatchedSource } from '../../store/hub-store.ts';
import type { Watch } from '../../watch/watch-port.ts';
import type { AskedView, View } from '../view.ts';
import { objectSchema } from '../view-schemas.ts';
import { sourceForm } from './source-actions.ts';

export interface SourceEditFacts {
  readonly id: string;
  readonly title: string;
  readonly kind: SourceKind;
  readonly origin: WatchedSource['origin'];
  /** The editable settings that are set. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A form for the settings of a source. */
export function sourceEditView({ watch }: { readonly watch: Pick<Watch, 'source'> }): View<SourceEditFacts> {
  return {
    path: '/sources/:id/edit',
    summary: 'Edit the settings of a source.',
    role: 'operate',
    parameters: [SOURCE_ID],
    schema: objectSchema({
      id: { type: 'string' },
      title: { type: 'string' },
      kind: { type: 'string' },
      origin: { enum: ['config', 'api'] },
      settings: { type: 'object' },
    }),
    read({ params: { id = '' } }) {
      const source = watch.source(id);
      if (source === undefined) throw sourceUnknownError(id.slice(0, 100));
      const { config, origin } = source;
      return { id: config.id, title: config.title ?? config.id, kind: config.kind, origin, settings: givenOf(config) };
    },
    show: (facts, asked) => ({ title: `Edit ${facts.title}`, place: 'sources', main: editHtml(facts, asked) }),
  };
}

function givenOf(config: SourceConfig): Readonly<Record<string, unknown>> {
  const keys: readonly string[] = EDITABLE_KEYS;
  return Object.fromEntries(Object.entries(config).filter(([key]) => keys.includes(key)));
}

function editHtml(facts: SourceEditFacts, { root, viewer }: AskedView): Html {
  const { id, title, kind, origin } = facts;
  const fields = FIELDS.filter(({ kinds }) => kinds === undefined || kinds.includes(kind));
  return html`<h1>Edit ${outsideText(title)}</h1>
<p><a href="${root}sources/${encodeURIComponent(id)}">Back to the source</a></p>
${
  origin === 'config'
    ? html`<p class="empty">It stands in the config file of the hub. Change it there and start the hub again.</p>`
    : sourceForm(
        'edit',
        { id, root, viewer },
        html`<div class="edit">${fields.map((field) => fieldHtml(field, facts))}</div>`,
      )
}`;
}

interface Field {
  readonly key: (typeof EDITABLE_KEYS)[number];
  readonly words: string;
  readonly hint: string;
  readonly is: 'text' | 'number' | 'list' | 'flag';
  /** Absent: of every kind of source. */
  readonly kinds?: readonly SourceKind[];
}

const FIELDS: readonly Field[] = [
  { key: 'title', words: 'Title', hint: 'For people.', is: 'text' },
  { key: 'intervalSeconds', words: 'Seconds between two looks', hint: 'Empty: it adapts.', is: 'number' },
  { key: 'tags', words: 'Tags', hint: 'One on each line.', is: 'list' },
  { key: 'ignore', words: 'Left out', hint: 'Paths and elements, like /log/** or .ad, one on each line.', is: 'list' },
  {
    key: 'only',
    words: 'Read alone',
    hint: 'Paths and elements, like /docs/** or article, one on each line.',
    is: 'list',
  },
  { key: 'include', words: 'Only these paths', hint: 'As in robots.txt, one on each line.', is: 'list' },
  { key: 'exclude', words: 'Not these paths', hint: 'As in robots.txt, one on each line.', is: 'list' },
  { key: 'maxPages', words: 'Pages at most', hint: 'Empty: as usual.', is: 'number', kinds: ['auto', 'site'] },
  { key: 'sitemap', words: 'Sitemap', hint: 'Empty: those that the site names.', is: 'text', kinds: ['site'] },
  {
    key: 'fallbacks',
    words: 'Mirrors',
    hint: 'Asked in this order when it cannot be read, one on each line.',
    is: 'list',
    kinds: ['site', 'page', 'feed'],
  },
  { key: 'cleanUrls', words: 'Addresses without .html', hint: '', is: 'flag', kinds: ['folder'] },
];

function fieldHtml({ key, words, hint, is }: Field, { settings }: SourceEditFacts): Html {
  const value = settings[key];
  const about = hint === '' ? NO_HTML : html`<p class="faint" id="${key}-hint">${hint}</p>`;
  const described = hint === '' ? NO_HTML : html` aria-describedby="${key}-hint"`;
  return html`<div><label for="${key}">${words}</label>${control({ key, is, value, described })}${about}</div>
`;
}

interface Control extends Pick<Field, 'key' | 'is'> {
  readonly value: unknown;
  readonly described: Html;
}

/** The current value: sending it back unchanged changes nothing. */
function control({ key, is, value, described }: Control): Html {
  if (is === 'list') {
    const lines = Array.isArray(value) ? value.join('\n') : '';
    // The first line feed after the tag is not part of the content.
    return html`<textarea id="${key}" name="${key}" rows="4"${described}>\n${lines}</textarea>`;
  }
  if (is === 'flag') {
    const chosen = value === true ? html` selected` : NO_HTML;
    return html`<select id="${key}" name="${key}"${described}><option value="">no</option><option value="true"${chosen}>yes</option></select>`;
  }
  const kind = is === 'number' ? html` type="number" min="1"` : NO_HTML;
  return html`<input id="${key}" name="${key}" value="${value === undefined ? '' : String(value)}"${kind}${described}>`;
}
