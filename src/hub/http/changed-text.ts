import { diffWords, type WordPiece } from '../../diff/word-diff.ts';
import { shownText } from '../../digest/shown-text.ts';
import type { Change } from '../../model/change.ts';
import { type Html, html, NO_HTML } from './html.ts';
import { wordHtml } from './word-html.ts';

/** A text up to this length is in the log as a whole, so that it can be compared with the earlier one. */
const MAX_COMPARED = 300;
const MAX_BEGINNING = 200;

type ChangedText = Pick<Change, 'action' | 'before' | 'excerpt'>;

/** The changed text on one line: the words that differ if both versions are known as a whole, else the beginning of the new one. */
export function changedWords({ action, before = '', excerpt = '' }: ChangedText): readonly WordPiece[] {
  const [was, now] = [shownText(before, MAX_COMPARED), shownText(excerpt, MAX_COMPARED)];
  if (action === 'update' && was !== '' && now !== '' && excerpt.length <= MAX_COMPARED)
    return was === now ? [] : diffWords(was, now).words;
  const beginning = shownText(excerpt, MAX_BEGINNING);
  return beginning === '' ? [] : [{ is: 'same', text: beginning }];
}

export function changedTextHtml(change: ChangedText): Html {
  const words = changedWords(change);
  return words.length === 0 ? NO_HTML : html`<p class="words" dir="auto">${words.map(wordHtml)}</p>\n`;
}
