import type { PageNews } from './page-news.ts';
import { shown } from './shown-text.ts';

const MAX_NAMED = 2;
const MAX_NAME = 60;

export interface TitleOptions {
  readonly isFirst: boolean;
  readonly about?: string | undefined;
}

/** `3 pages changed: Rate limits, Pricing and 1 more`. */
export function digestTitle(
  pages: readonly PageNews[],
  names: { readonly pages: readonly string[]; readonly endpoints: readonly string[] },
  { isFirst, about }: TitleOptions,
): string {
  const facts = names.endpoints.length;
  const told = [
    ...(pages.length > 0 ? [wordsOf(pages, isFirst)] : []),
    ...(facts > 0 ? [`${facts} API ${facts === 1 ? 'change' : 'changes'}`] : []),
  ];
  const place = about === undefined || shown(about, MAX_NAME) === '' ? '' : `${shown(about, MAX_NAME)}: `;
  const named = namedOf([...names.pages, ...names.endpoints]);
  return `${place}${told.join(' and ') || 'nothing changed'}${named === '' ? '' : `: ${named}`}`;
}

function wordsOf(pages: readonly PageNews[], isFirst: boolean): string {
  const count = pages.length;
  const word = count === 1 ? 'page' : 'pages';
  if (isFirst) return `${count} ${word} to begin with`;
  const [effect] = new Set(pages.map((news) => news.effect)).size === 1 ? [pages[0]?.effect] : ['updated'];
  if (effect === 'created') return `${count} new ${word}`;
  if (effect === 'deleted') return `${count} ${word} removed`;
  return effect === 'came-and-went' ? `${count} ${word} came and went` : `${count} ${word} changed`;
}

/** Names that are alike say nothing twice. */
function namedOf(names: readonly string[]): string {
  const named = [...new Set(names)].slice(0, MAX_NAMED).map((name) => shown(name, MAX_NAME));
  const others = names.length - named.length;
  if (others > 0) return `${named.join(', ')} and ${others} more`;
  return named.join(' and ');
}
