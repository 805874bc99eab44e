import { diffWords } from '../../diff/word-diff.ts';
import { shownText } from '../../digest/shown-text.ts';
import type { Change } from '../../model/change.ts';
import { type Html, html, NO_HTML, outsideText } from './html.ts';
import { wordHtml } from './word-html.ts';

/** A text up to here stands in the log as a whole, so that what it was before can be compared with it. */
const MAX_COMPARED = 300;
const MAX_BEGINNING = 200;

/** What a change says of the text: where both versions are known as a whole the words that differ, else how it begins now. */
export function changedTextHtml({ action, before, excerpt = '' }: Pick<Change, 'action' | 'before' | 'excerpt'>): Html {
  const [was, now] = [shownText(before ?? '', MAX_COMPARED), shownText(excerpt, MAX_COMPARED)];
  if (action === 'update' && was !== '' && now !== '' && excerpt.length <= MAX_COMPARED) {
    return was === now ? NO_HTML : html`<p class="words" dir="auto">${diffWords(was, now).words.map(wordHtml)}</p>\n`;
  }
  const beginning = shownText(excerpt, MAX_BEGINNING);
  return beginning === '' ? NO_HTML : html`<p class="words" dir="auto">${outsideText(beginning, MAX_BEGINNING)}</p>\n`;
}
