import type { JsonObject } from '../../codecs/aidocument/wire.ts';
import { kindOfAddress } from '../address-kind.ts';
import type { ContentShape } from './content-shape.ts';
import { nodesOf, typesOf } from './json-ld.ts';

interface Evidence {
  readonly url: string;
  readonly meta: ReadonlyMap<string, string>;
  readonly structuredData: JsonObject | undefined;
  /** Types of the page's microdata, one for each element that has one. */
  readonly itemTypes: readonly string[];
  readonly shape: ContentShape;
}

/**
 * The kind of page; undefined where the evidence is not enough (T-AWI-7).
 *
 * What the page says of itself comes first, then its address, then what its content is made of. Its design is no evidence:
 * another theme must not make another kind.
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
/** A page may name variants of its product; so many are a shelf. */
const SEVERAL = 4;

/** Types of schema.org that leave no doubt, the most telling first. */
const DECLARED: readonly { readonly kind: string; readonly names: ReadonlySet<string> }[] = [
  { kind: 'forum', names: THREAD },
  { kind: 'documentation', names: names('TechArticle APIReference') },
  { kind: 'profile', names: names('ProfilePage') },
  { kind: 'service', names: names('Service ProfessionalService') },
];

/** Programs that make one kind of page only. */
const GENERATORS: readonly { readonly kind: string; readonly names: RegExp }[] = [
  {
    kind: 'documentation',
    names:
      /^(?:docusaurus|sphinx|docutils|mkdocs|rustdoc|javadoc|doxygen|gitbook|bookdown|vitepress|mdbook|antora|starlight|asciidoctor|readme|dokuwiki|typedoc|jekyll-docs|nextra)\b/i,
  },
  { kind: 'forum', names: /^(?:discourse|vbulletin|phpbb|xenforo|flarum|nodebb|mybb|invision|simple machines)\b/i },
];

/** One product for sale: a word or a type for it. With a rating and no offer it is what any page may call itself. */
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

/** More headings that are links make a list. */
const FEW = 7;

/** Cards in a row: more than a page shows beside its own subject. */
const ROW = 12;

function isPriced({ prices, cartWords }: ContentShape): boolean {
  return prices > 0 || cartWords > 0;
}

/** Cards with a price each. */
function isShelf({ prices, cartWords, linkedHeadings, words }: ContentShape): boolean {
  return prices >= 8 && (linkedHeadings >= 8 || cartWords >= 6) && words < prices * 80;
}

/** Longer than what stands below a product as "you may also like". */
function isLongShelf({ prices, linkedHeadings }: ContentShape): boolean {
  return prices >= 20 && linkedHeadings >= 20;
}

function isPriceList({ prices, cartWords, words }: ContentShape): boolean {
  return cartWords >= 3 || (prices >= 3 && words < prices * 100);
}

/** Links to what stands elsewhere, with few words between. */
function isIndex({ links, linkShare, linkedHeadings, headings, codeBlocks }: ContentShape): boolean {
  if (codeBlocks > 0 || links < 10) return false;
  return linkShare >= 0.35 || (linkedHeadings >= 7 && linkedHeadings * 2 > headings);
}

/** Of a whole site or of a blog: what is new there. */
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

/** Short sections under many headings, without links, sums or code: what somebody offers. */
function isBrochure({ words, headings, linkedHeadings, linkShare, prices, codeBlocks }: ContentShape): boolean {
  if (codeBlocks > 0 || prices >= 3 || linkedHeadings >= 3) return false;
  return headings >= 5 && words < headings * 50 && linkShare < 0.08;
}

/** The home of a site that says more than where to go. */
function isPresentation({ words, linkShare, prices, codeBlocks }: ContentShape): boolean {
  return words >= 150 && linkShare < 0.18 && prices < 3 && codeBlocks === 0;
}

/** A headline of several words for a name, and running text. */
function isEssay({ url, shape }: Evidence): boolean {
  const parts = new URL(url).pathname.split('/').filter((part) => part !== '');
  if (parts.length < 2 || (parts.at(-1) ?? '').split(/[-_+]/).length < 4) return false;
  const { words, headings, linkShare, invitations, codeBlocks } = shape;
  return words >= 300 && words >= headings * 65 && linkShare < 0.1 && invitations < 2 && codeBlocks === 0;
}

/** News or a post, by two words of its own; a review may name the product that it is about. */
function isDatedPost(meta: ReadonlyMap<string, string>, types: readonly string[], openGraph: string): boolean {
  if (!types.some((type) => ARTICLE.has(type) || type === 'Article')) return false;
  return openGraph === 'article' || meta.has('article:published_time');
}

const ARTICLE_PATH = /^(?:blogs?|news|articles?|story|stories|posts?)$/;
/** A headline, or a number; a rubric is one word. */
const HEADLINE = /[-_+%]|\d{3}/;

/** An address of its own, more text than links, and a word for it. */
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
  // Some systems call every page an article, and give only real ones a date of publication.
  const isCalledSo = openGraph === 'article' && (isDated || !meta.has('article:modified_time'));
  return types.includes('Article') || isCalledSo || isDated || inSeries;
}
