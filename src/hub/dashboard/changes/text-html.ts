import type { Change } from '../../../model/change.ts';
import { type Html, html, NO_HTML, outsideLines } from '../../http/html.ts';
import { emptyState } from '../pieces.ts';
import { type DiffLook, diffHtml } from './diff-html.ts';
import { markdownHtml } from './markdown-html.ts';
import { type MarkdownSides, markdownSides } from './markdown-sides.ts';
import type { TextFacts } from './text-facts.ts';

interface TextAround {
  readonly look: DiffLook;
  /** The page that relative links are meant from. */
  readonly base: string;
  /** The section, and what the log itself holds of the texts, if they are not kept. */
  readonly record?: Pick<Change, 'anchor' | 'before' | 'excerpt'>;
}

const UNTOLD = 'Which lines are of the section cannot be told any more: the whole page is compared.';
const SAME = 'The Markdown is the same: what differs is not shown in it, like the title.';

/** Two versions of a text, in one of three looks. */
export function textHtml(facts: TextFacts, { look, base, record = {} }: TextAround): Html {
  if (facts.is === 'unknown') return unknownHtml(facts, record);
  if (look === 'rendered') return renderedHtml(facts, base);
  if (facts.diff.hunks.length === 0) return emptyState(SAME);
  return html`${note(facts, record.anchor !== undefined)}${diffHtml(facts.diff, facts.is === 'edited' ? look : 'inline')}`;
}

function note({ is, scope }: TextFacts, isSection: boolean): Html {
  if (is === 'came') return html`<p class="faint">All of it is new.</p>`;
  if (is === 'went') return html`<p class="faint">All of it is gone.</p>`;
  return isSection && scope === 'page' ? html`<p class="faint">${UNTOLD}</p>` : NO_HTML;
}

/** What the log itself holds of a short section, and of its replacement. */
function unknownHtml({ because = '' }: TextFacts, { before, excerpt }: Pick<Change, 'before' | 'excerpt'>): Html {
  const block = (title: string, text: string | undefined) =>
    text === undefined
      ? NO_HTML
      : html`<h3>${title}</h3><blockquote class="record" dir="auto">${outsideLines(text)}</blockquote>`;
  return html`<p>${because}</p>
${before === undefined && excerpt === undefined ? NO_HTML : html`<p class="faint">The log itself has kept this much, as plain text:</p>`}
${block('Before', before)}${block('After, its beginning', excerpt)}`;
}

function renderedHtml({ before = '', after = '', isCut }: TextFacts, base: string): Html {
  const isBoth = before.trim() !== '' && after.trim() !== '';
  const shown: MarkdownSides = isBoth
    ? markdownSides(before, after, base)
    : { before: markdownHtml(before, base), after: markdownHtml(after, base) };
  const side = (label: string, text: string, main: Html) =>
    html`<div class="rendered" role="group" aria-label="${label}"><p class="where">${label}</p>${text.trim() === '' ? html`<p class="faint">Nothing.</p>` : main}</div>`;
  return html`<div class="sides">${side('Before', before, shown.before)}${side('After', after, shown.after)}</div>
${shown.tooDifferent && html`<p class="faint">Too different to mark single words.</p>`}${isCut ? html`<p class="faint">Only the beginning is shown.</p>` : NO_HTML}`;
}
