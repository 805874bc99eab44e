import { formatTime } from '../../codecs/primitives/time.ts';
import { type Html, html, NO_HTML } from './html.ts';

/** To the minute for people, exactly for programs; the script shows it in the zone of the reader. */
export function timeHtml(ms: number | undefined): Html {
  if (ms === undefined || !Number.isFinite(ms)) return NO_HTML;
  const exact = formatTime(ms);
  return html`<time datetime="${exact}" title="${exact}">${exact.slice(0, 10)} ${exact.slice(11, 16)}</time>`;
}

/** A state in a word, with its colour, which is that of another word where `look` says so. Words with a colour: ok, degraded, error, quiet, unstable, disabled, pending, create, update, delete. */
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
