import type { PageNews } from './page-news.ts';
import { shownText } from './shown-text.ts';

const MAX_NAMED = 2;
const MAX_NAME = 60;
/** How many names are examined to find different ones. */
const MAX_LOOKED_AT = 50;

export interface TitleOptions {
  readonly isFirst: boolean;
  readonly about?: string | undefined;
}

/** `3 pages changed: Rate limits, Pricing and 1 more`. */
export function digestTitle(
  pages: readonly PageNews[],
  { facts, names }: { readonly facts: number; readonly names: Iterable<string> },
  { isFirst, about }: TitleOptions,
): string {
  const told = [
    ...(pages.length > 0 ? [wordsOf(pages, isFirst)] : []),
    ...(facts > 0 ? [`${facts} API ${facts === 1 ? 'change' : 'changes'}`] : []),
  ];
  const place = about === undefined || shownText(about, MAX_NAME) === '' ? '' : `${shownText(about, MAX_NAME)}: `;
  const named = namedOf(names, pages.length + facts);
  return `${place}${told.join(' and ') || 'nothing changed'}${named === '' ? '' : `: ${named}`}`;
}

function wordsOf(pages: readonly PageNews[], isFirst: boolean): string {
  const count = pages.length;
  const word = count === 1 ? 'page' : 'pages';
  if (isFirst) return `${count} ${word} to begin with`;
  const first = pages[0]?.effect;
  const effect = pages.every((news) => news.effect === first) ? first : 'updated';
  if (effect === 'created') return `${count} new ${word}`;
  if (effect === 'deleted') return `${count} ${word} removed`;
  return effect === 'came-and-went' ? `${count} ${word} came and went` : `${count} ${word} changed`;
}

/** Equal names are used once. */
function namedOf(names: Iterable<string>, count: number): string {
  const found = new Set<string>();
  let looked = 0;
  for (const name of names) {
    found.add(name);
    looked += 1;
    if (found.size === MAX_NAMED || looked === MAX_LOOKED_AT) break;
  }
  const named = [...found].map((name) => shownText(name, MAX_NAME));
  const others = count - named.length;
  if (others > 0) return `${named.join(', ')} and ${others} more`;
  return named.join(' and ');
}
