import { percentDecoded } from '../codecs/primitives/percent-decoded.ts';

/** Characters that turn the direction of a text, are invisible, or are not meant to be written. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
const MAX_HOST = 60;
const SLUG = /^[\p{Ll}\p{Lo}\p{N}]+(?:[-_][\p{Ll}\p{Lo}\p{N}]+)*$/u;

/** A text from a page on one line of at most `most` characters, safe to embed: nothing in it affects the text around it. */
export function shownText(text: string, most: number): string {
  const line = text
    .slice(0, 4 * most)
    .toWellFormed()
    .replace(UNSEEN, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line.length <= most && text.length <= 4 * most) return line;
  return `${cut(line, most - 1)}…`;
}

/** Cuts at the end of a word if one is near, and never within a character. */
function cut(line: string, most: number): string {
  const piece = line.slice(0, most);
  const end = line.length > most ? piece.search(/\s\S*$/) : -1;
  return (end > most * 0.7 ? piece.slice(0, end) : piece.replace(/[\uD800-\uDBFF]$/, '')).trimEnd();
}

/** `rate-limits` as people write it: `Rate limits`. Other anchors stay unchanged. */
export function nameOfAnchor(anchor: string, most: number): string {
  const text = shownText(percentDecoded(anchor), most);
  if (!SLUG.test(text)) return text;
  const words = text.replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The path, which says more than the host that all pages share. */
export function nameOfUrl(url: string, most: number): string {
  const { host, pathname, search } = new URL(url);
  const path = percentDecoded(pathname + search);
  return shownText(path === '/' ? host : path, most);
}

/** The end of the host, which shows who owns a page. */
export function hostOf(url: string): string {
  const { host } = new URL(url);
  return host.length <= MAX_HOST ? host : `…${host.slice(1 - MAX_HOST)}`;
}
