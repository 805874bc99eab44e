import { formatTime } from '../../codecs/primitives/time.ts';
import { type Html, html, NO_HTML } from './html.ts';

/** To the minute for people, exact for programs; the script shows it in the time zone of the reader. */
export function timeHtml(ms: number | undefined): Html {
  if (ms === undefined || !Number.isFinite(ms)) return NO_HTML;
  const exact = formatTime(ms);
  return html`<time datetime="${exact}" title="${exact}">${exact.slice(0, 10)} ${exact.slice(11, 16)}</time>`;
}

/**
 * A state as a coloured word; `look` gives it the colour of another word. Words with a colour: ok, degraded, error, quiet, unstable, disabled, pending,
 * create, update, delete.
 */
export function badge(word: string, look = word): Html {
  return html`<b class="badge ${look}">${word}</b>`;
}

export function count(number: number): string {
  return number.toLocaleString('en');
}

/** `1 page`, `2 pages`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}
