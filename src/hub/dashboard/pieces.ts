import { type Html, type HtmlHole, html, NO_HTML } from '../http/html.ts';
import type { Viewer } from '../sign-in/viewer.ts';
import { mayAct, type Role } from '../sign-in/viewer.ts';
import { tokenOf } from './form.ts';

export interface ActionButton {
  /** Where the form is sent, with the root before it. */
  readonly action: string;
  readonly words: string;
  /** Who may press it; others do not see it. */
  readonly role: Role;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What is lost by it. The user has to confirm it. */
  readonly warning?: string;
  /** The one that is meant to be pressed. */
  readonly isMain?: boolean;
}

/** A form with one button, for people who may press it. */
export function actionButton(button: ActionButton, viewer: Viewer): Html {
  if (!mayAct(viewer, button.role)) return NO_HTML;
  const kind = button.warning === undefined ? (button.isMain ? 'main' : '') : 'danger';
  const form = actionForm(button.action, viewer, [
    ...Object.entries(button.fields ?? {}).map(([name, value]) => hidden(name, value)),
    html`<button class="${kind}">${button.words}</button>`,
  ]);
  if (button.warning === undefined) return form;
  return html`<details class="confirm"><summary>${button.words} …</summary><p>${button.warning}</p>${form}</details>`;
}

/** A form of this session: only what is made here is taken. */
export function actionForm(action: string, viewer: Viewer, inside: HtmlHole): Html {
  const { name, value } = tokenOf(viewer);
  return html`<form method="post" action="${action}">${hidden(name, value)}${inside}</form>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** An address that can be copied; the script makes the button work. */
export function copyable(text: string): Html {
  return html`<span class="copyable"><code>${text}</code><button type="button" data-copy="${text}" hidden>Copy</button></span>`;
}

/** Links to the previous and next page. Addresses are complete, including the root. */
export function pager(links: { readonly newer?: string | undefined; readonly older?: string | undefined }): Html {
  if (links.newer === undefined && links.older === undefined) return NO_HTML;
  const link = (href: string | undefined, rel: string, words: string) =>
    href === undefined ? NO_HTML : html`<a rel="${rel}" href="${href}">${words}</a>`;
  return html`<nav class="pager" aria-label="More">${link(links.newer, 'prev', '← Back')}${link(links.older, 'next', 'More →')}</nav>`;
}

/** Where there is nothing to show: what that means and what to do. */
export function emptyState(words: string, todo: HtmlHole = undefined): Html {
  return html`<div class="empty"><p>${words}</p>${todo === undefined ? NO_HTML : html`<p class="faint">${todo}</p>`}</div>`;
}

/** Shown if no source is watched yet, for people who may change that and for all others. */
export function noSourceYet({ root, viewer }: { readonly root: string; readonly viewer: Viewer }): Html {
  if (!mayAct(viewer, 'operate')) return emptyState('No source is watched yet.');
  return emptyState(
    'No source is watched yet.',
    html`<a class="button main" href="${root}add">Add a source</a> or write <code>tidings source add &lt;url&gt;</code>.`,
  );
}
