import { nameOfAnchor, nameOfUrl, shownText } from '../../digest/shown-text.ts';
import { changedTextHtml } from '../../hub/http/changed-text.ts';
import { type Html, html, NO_HTML, outsideText } from '../../hub/http/html.ts';
import { badge, counted } from '../../hub/http/html-pieces.ts';
import { anchorFragment } from '../../model/anchor-fragment.ts';
import type { ChangeDraft } from '../../model/change.ts';
import { PREVIEW_ASSETS } from './preview-paths.ts';

export interface PreviewNews {
  readonly site: URL;
  /** Everything that a publish would report. */
  readonly changes: readonly ChangeDraft[];
  /** Nothing was published before. */
  readonly isFirst: boolean;
  /** Why a publish would stop. */
  readonly stop?: string | undefined;
}

const MAX_LISTED = 50;
const MAX_NAME = 150;
const MAX_STOP = 1000;
const WORDS = { create: 'new', update: 'changed', delete: 'removed' } as const;

/** What a preview adds at the end of a page: a bar with what changed, and the old text of each changed section of this page. */
export function previewHtml(url: string, facts: PreviewNews): Html {
  const here = facts.changes.filter((change) => change.url === url);
  const marks = here.filter(({ anchor, anchorIs }) => anchor !== undefined && anchorIs === undefined);
  return html`
<tidings-preview><template shadowrootmode="open">${STYLE}${barHtml(here, facts)}</template></tidings-preview>
${facts.isFirst ? NO_HTML : marks.map(markTemplate)}<script src="${PREVIEW_ASSETS}preview.js" defer></script>
`;
}

const STYLE = html`<link rel="stylesheet" href="${PREVIEW_ASSETS}preview-style.css">`;

function barHtml(here: readonly ChangeDraft[], { site, changes, isFirst, stop }: PreviewNews): Html {
  const others = changes.filter((change) => !here.includes(change));
  const listed = isFirst ? [] : [...here, ...others].slice(0, MAX_LISTED);
  const left = isFirst ? 0 : changes.length - listed.length;
  return html`<aside class="bar" aria-label="Tidings preview"><details><summary>${stop === undefined ? NO_HTML : html`${badge('publish would stop', 'error')} `}${summaryWords(changes, here, isFirst)}</summary>
<div class="inside">${stop === undefined ? NO_HTML : html`<p class="warning">${outsideText(stop, MAX_STOP)}</p>`}
<ul>${listed.map((change) => html`<li>${badge(WORDS[change.action], change.action)} ${linkHtml(change, site)}${here.includes(change) ? changedTextHtml(change) : NO_HTML}</li>\n`)}</ul>
${left > 0 ? html`<p class="faint">and ${counted(left, 'more change')}</p>` : NO_HTML}
<p><a href="${site.pathname}changes/">The page of changes</a> <span class="faint">· This bar is in the preview alone.</span></p></div></details></aside>`;
}

function summaryWords(changes: readonly ChangeDraft[], here: readonly ChangeDraft[], isFirst: boolean): string {
  if (isFirst) return `Nothing was published yet: ${counted(changes.length, 'page')} to begin with`;
  if (changes.length === 0) return 'Nothing changed since the last publish';
  return `${counted(changes.length, 'change')} since the last publish, ${here.length} on this page`;
}

function linkHtml(change: ChangeDraft, site: URL): Html {
  const { url, anchor, action, title = '', heading = '' } = change;
  const section = anchor === undefined ? '' : shownText(heading, MAX_NAME) || nameOfAnchor(anchor, MAX_NAME);
  const page = shownText(title, MAX_NAME) || nameOfUrl(url, MAX_NAME);
  const name = outsideText([page, section].filter((part) => part !== '').join(' › '), MAX_NAME);
  if (!url.startsWith(site.href) || (action === 'delete' && anchor === undefined)) return name;
  return html`<a href="${site.pathname}${url.slice(site.href.length)}${anchorFragment(change)}">${name}</a>`;
}

/** A template that the browser keeps until the script moves it to its section. */
function markTemplate(change: ChangeDraft): Html {
  const { anchor = '', action } = change;
  return html`<template data-tidings-anchor="${anchor}">${STYLE}<div class="mark" role="note" aria-label="Since the last publish">${badge(WORDS[action], action)}${changedTextHtml(change)}</div></template>
`;
}
