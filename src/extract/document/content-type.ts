import type { JsonObject } from '../../codecs/aidocument/wire.ts';
import { kindOfAddress } from '../address-kind.ts';
import type { ContentShape } from './content-shape.ts';
import { nodesOf, typesOf } from './json-ld.ts';

interface Evidence {
  readonly url: string;
  readonly meta: ReadonlyMap<string, string>;
  readonly structuredData: JsonObject | undefined;
  /** Microdata types of the page, one for each element that has one. */
  readonly itemTypes: readonly string[];
  readonly shape: ContentShape;
}

/**
 * The kind of page. Undefined if there is not enough evidence (T-AWI-7).
 *
 * The page's own statements come first, then its address, then the shape of its content. Its design does not count: another theme must not change the kind.
 */
export function contentTypeOf(evidence: Evidence): string | undefined {
  const { meta, structuredData, itemTypes, shape, url } = evidence;
  const types = structuredData === undefined ? [] : typesOf(structuredData);
  const generator = meta.get('generator') ?? '';
  const openGraph = meta.get('og:type')?.toLowerCase() ?? '';
  const address = kindOfAddress(new URL(url));

  const declared = DECLARED.find(({ names }) => types.some((type) => names.has(type)))?.kind;
  if (declared !== undefined) return declared;
  if (itemTypes.some((type) => THREAD.has(type))) return 'forum';
  const generated = GENERATORS.find(({ names }) => names.test(generator))?.kind;
  if (generated !== undefined) return generated;
  if (address === 'documentation' || address === 'forum') return address;

  if (address === 'collection' || openGraph === 'product.group') return 'collection';
  if (isDatedPost(meta, types, openGraph)) return 'article';
  if (isProduct(evidence, types, openGraph)) {
    if (isLongShelf(shape)) return 'collection';
    return isPriced(shape) || shape.invitations === 0 ? 'product' : 'service';
  }
  if (address === 'product' && isPriced(shape)) return shape.linkedHeadings >= ROW ? 'collection' : 'product';
  if (isShelf(shape) || types.filter((type) => PRODUCT.has(type)).length >= SEVERAL) return 'collection';
  if (address === 'shop' && isPriced(shape)) return 'collection';
  if (address === 'category' && isPriceList(shape)) return 'collection';
  if (address === 'category' && shape.links >= 5) return 'listing';
  const isHome = new URL(url).pathname === '/';
  if (isHome && shape.invitations >= 2 && shape.linkedHeadings < FEW) return 'service';
  const isList = isIndex(shape) || (address === 'front' && isFrontPage(shape));
  if (types.includes('CollectionPage') || itemTypes.includes('CollectionPage'))
    return isList && !isPriceList(shape) ? 'listing' : 'collection';

  if (address !== 'service' && isArticle(evidence, types, openGraph)) return 'article';
  if (isList || types.includes('ItemList')) return isPriceList(shape) ? 'collection' : 'listing';
  if (openGraph === 'profile') return 'profile';
  if (address === 'service') return 'service';
  if (isManual(shape)) return 'documentation';
  if (isOffer(shape) || isBrochure(shape) || (isHome && isPresentation(shape))) return 'service';
  if (isEssay(evidence)) return 'article';
  return address === 'product' && (isPriced(shape) || shape.invitations === 0) ? 'product' : undefined;
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const THREAD = names('DiscussionForumPosting QAPage');
const ARTICLE = names(
  'NewsArticle BlogPosting ReportageNewsArticle AnalysisNewsArticle OpinionNewsArticle ScholarlyArticle',
);
const PRODUCT = names('Product ProductGroup IndividualProduct ProductModel');
/** A page may name variants of its product. This many are a product list. */
const SEVERAL = 4;

/** Unambiguous types of schema.org, the most specific first. */
const DECLARED: readonly { readonly kind: string; readonly names: ReadonlySet<string> }[] = [
  { kind: 'forum', names: THREAD },
  { kind: 'documentation', names: names('TechArticle APIReference') },
  { kind: 'profile', names: names('ProfilePage') },
  { kind: 'service', names: names('Service ProfessionalService') },
];

/** Generators that make only one kind of page. */
const GENERATORS: readonly { readonly kind: string; readonly names: RegExp }[] = [
  {
    kind: 'documentation',
    names:
      /^(?:docusaurus|sphinx|docutils|mkdocs|rustdoc|javadoc|doxygen|gitbook|bookdown|vitepress|mdbook|antora|starlight|asciidoctor|readme|dokuwiki|typedoc|jekyll-docs|nextra)\b/i,
  },
  { kind: 'forum', names: /^(?:discourse|vbulletin|phpbb|xenforo|flarum|nodebb|mybb|invision|simple machines)\b/i },
];

/** One product for sale, by a word or a type. With a rating but no offer, the type proves nothing. */
function isProduct(
  { structuredData, itemTypes, shape }: Evidence,
  types: readonly string[],
  openGraph: string,
): boolean {
  if (/^(?:og:)?product(?:\.item)?$|:item$/.test(openGraph)) return true;
  const offered = structuredData === undefined ? [] : nodesOf(structuredData).filter(isOffered);
  const named = types.filter((type) => PRODUCT.has(type)).length;
  if (named > 0 && named < SEVERAL && (offered.length > 0 || shape.prices >= 2)) return true;
  const marked = itemTypes.filter((type) => PRODUCT.has(type)).length;
  return marked > 0 && marked <= SEVERAL && isPriced(shape);
}

function isOffered(node: JsonObject): boolean {
  return typesOf(node).some((type) => PRODUCT.has(type)) && ('offers' in node || !('aggregateRating' in node));
}

/** More linked headings make a list. */
const FEW = 7;

/** A row of cards: more than a page shows beside its own subject. */
const ROW = 12;

function isPriced({ prices, cartWords }: ContentShape): boolean {
  return prices > 0 || cartWords > 0;
}

/** Cards with a price each. */
function isShelf({ prices, cartWords, linkedHeadings, words }: ContentShape): boolean {
  return prices >= 8 && (linkedHeadings >= 8 || cartWords >= 6) && words < prices * 80;
}

/** Longer than a "you may also like" list below a product. */
function isLongShelf({ prices, linkedHeadings }: ContentShape): boolean {
  return prices >= 20 && linkedHeadings >= 20;
}

function isPriceList({ prices, cartWords, words }: ContentShape): boolean {
  return cartWords >= 3 || (prices >= 3 && words < prices * 100);
}

/** Links to other pages, with few words between them. */
function isIndex({ links, linkShare, linkedHeadings, headings, codeBlocks }: ContentShape): boolean {
  if (codeBlocks > 0 || links < 10) return false;
  return linkShare >= 0.35 || (linkedHeadings >= 7 && linkedHeadings * 2 > headings);
}

/** The front page of a site or blog, with its news. */
function isFrontPage({ links, linkShare }: ContentShape): boolean {
  return links >= 10 && linkShare >= 0.18;
}

function isManual({ codeBlocks, inlineCodes }: ContentShape): boolean {
  return codeBlocks >= 3 && codeBlocks + inlineCodes >= 12;
}

/** Short sections under many headings, few links, and an invitation. */
function isOffer({ words, headings, invitations, linkShare, codeBlocks }: ContentShape): boolean {
  return invitations >= 1 && headings >= 5 && words < headings * 70 && linkShare < 0.15 && codeBlocks === 0;
}

/** Short sections under many headings, without links, prices or code: a presentation of an offer. */
function isBrochure({ words, headings, linkedHeadings, linkShare, prices, codeBlocks }: ContentShape): boolean {
  if (codeBlocks > 0 || prices >= 3 || linkedHeadings >= 3) return false;
  return headings >= 5 && words < headings * 50 && linkShare < 0.08;
}

/** The home page of a site with more than navigation. */
function isPresentation({ words, linkShare, prices, codeBlocks }: ContentShape): boolean {
  return words >= 150 && linkShare < 0.18 && prices < 3 && codeBlocks === 0;
}

/** An address like a headline of several words, and running text. */
function isEssay({ url, shape }: Evidence): boolean {
  const parts = new URL(url).pathname.split('/').filter((part) => part !== '');
  if (parts.length < 2 || (parts.at(-1) ?? '').split(/[-_+]/).length < 4) return false;
  const { words, headings, linkShare, invitations, codeBlocks } = shape;
  return words >= 300 && words >= headings * 65 && linkShare < 0.1 && invitations < 2 && codeBlocks === 0;
}

/** News or a post, confirmed by two statements. A review may name the product that it is about. */
function isDatedPost(meta: ReadonlyMap<string, string>, types: readonly string[], openGraph: string): boolean {
  if (!types.some((type) => ARTICLE.has(type) || type === 'Article')) return false;
  return openGraph === 'article' || meta.has('article:published_time');
}

const ARTICLE_PATH = /^(?:blogs?|news|articles?|story|stories|posts?)$/;
/** A headline or a number. A category is one word. */
const HEADLINE = /[-_+%]|\d{3}/;

/** It has its own address, more text than links, and calls itself an article. */
function isArticle({ url, meta, shape }: Evidence, types: readonly string[], openGraph: string): boolean {
  const { hostname, pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  if (parts.length === 0) return false;
  if (types.some((type) => ARTICLE.has(type))) return true;
  if (/\/20\d\d\/\d\d?\/(?:\d\d?\/)?[^/]*-/.test(pathname)) return true;
  if (shape.links >= 10 && shape.links * 15 > shape.words) return false;
  if (shape.headings >= 5 && shape.words < shape.headings * 25) return false;

  const isDated = meta.has('article:published_time');
  const above = [...parts.slice(0, -1).map((part) => part.toLowerCase()), hostname.split('.')[0] ?? ''];
  const inSeries =
    above.some((part) => ARTICLE_PATH.test(part) || /^20\d\d$/.test(part)) && HEADLINE.test(parts.at(-1) ?? '');
  // Some systems call every page an article, but give only real ones a publication date.
  const isCalledSo = openGraph === 'article' && (isDated || !meta.has('article:modified_time'));
  return types.includes('Article') || isCalledSo || isDated || inSeries;
}
