import { SOURCE_ADVICE } from '../../alerts/source-troubles.ts';
import { type Html, html, NO_HTML } from '../../http/html.ts';
import type { AskedView } from '../view.ts';
import { type SourceAction, sourceButton } from './source-actions.ts';
import type { SourceLine, TroubleWord } from './source-line.ts';

/** The remedy for a trouble, with its button or link. */
interface Remedy {
  readonly advice: string;
  readonly action?: SourceAction;
  /** A part of the page of the source. */
  readonly see?: { readonly part: string; readonly words: string };
}

/** One table for all pages. */
const REMEDIES: Readonly<Record<TroubleWord, Remedy>> = {
  deletions: { advice: SOURCE_ADVICE['source.deletions'].advice, action: 'allow-deletes' },
  untrusted: { advice: SOURCE_ADVICE['source.untrusted'].advice, action: 'retrust' },
  broken: { advice: SOURCE_ADVICE['source.broken'].advice, action: 'check' },
  paused: { advice: 'Nobody looks at it until it is resumed.', action: 'resume' },
  fallback: {
    advice: 'What it says comes from elsewhere. See whether the source itself is back.',
    action: 'check',
  },
  quiet: {
    advice: SOURCE_ADVICE['source.quiet'].advice,
    see: { part: 'honesty', words: 'See whether its feed is honest' },
  },
  unstable: {
    advice: 'Some of its pages are other ones at each look, and are not told. A rule may leave out what differs.',
    see: { part: 'held-back', words: 'See what is held back' },
  },
  unread: {
    advice: 'Some of its pages could not be read and stay as they were.',
    see: { part: 'checks', words: 'See its checks' },
  },
};

/** The action behind the button of the remedy of a source. */
export function remedyAction({ trouble }: SourceLine): SourceAction | undefined {
  return trouble === undefined ? undefined : REMEDIES[trouble].action;
}

/** The remedy for a source: for people who are signed in, with the button if they may press it. */
export function sourceRemedy({ id, trouble }: SourceLine, { root, viewer }: Pick<AskedView, 'root' | 'viewer'>): Html {
  if (trouble === undefined || viewer.role === undefined) return NO_HTML;
  const { advice, action, see } = REMEDIES[trouble];
  const button = action === undefined ? NO_HTML : sourceButton(action, { id, root, viewer }, true);
  const link =
    see === undefined
      ? NO_HTML
      : html`<a class="button" href="${root}sources/${encodeURIComponent(id)}#${see.part}">${see.words}</a>`;
  return html`<div class="remedy"><p>${advice}</p>${button}${link}</div>`;
}
