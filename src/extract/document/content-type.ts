import type { JsonObject } from '../../codecs/aidocument/wire.ts';
import { typesOf } from './json-ld.ts';

interface Evidence {
  readonly url: string;
  readonly meta: ReadonlyMap<string, string>;
  readonly structuredData: JsonObject | undefined;
  readonly markdown: string;
  readonly words: number;
}

/**
 * The kind of page, by what it says of itself first and by its address second; undefined where that is not enough
 * (T-AWI-7). The design of a page is no evidence: another theme must not make another kind.
 */
export function contentTypeOf(evidence: Evidence): string | undefined {
  const { meta, structuredData, url } = evidence;
  const types = structuredData === undefined ? [] : typesOf(structuredData);
  const declared = DECLARED.find(({ names }) => types.some((type) => names.has(type)))?.kind;
  const openGraph = meta.get('og:type')?.toLowerCase() ?? '';

  if (declared !== undefined) return declared;
  const generator = GENERATORS.find(({ names }) => names.test(meta.get('generator') ?? ''))?.kind;
  if (generator !== undefined) return generator;
  if (/^product\.group$/.test(openGraph)) return 'collection';
  const addressed = kindOfAddress(new URL(url));
  if (addressed !== undefined) return addressed;
  if (types.filter((type) => PRODUCT.has(type)).length >= SEVERAL) return 'collection';
  if (types.some((type) => PRODUCT.has(type)) || /^(?:og:)?product(?:\.item)?$/.test(openGraph)) return 'product';
  if (types.includes('ItemList')) return 'listing';
  if (openGraph === 'profile') return 'profile';
  return isArticle(evidence, types, openGraph) ? 'article' : undefined;
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Types of schema.org that leave no doubt, the most telling first. */
const DECLARED: readonly { readonly kind: string; readonly names: ReadonlySet<string> }[] = [
  { kind: 'forum', names: names('DiscussionForumPosting QAPage') },
  { kind: 'documentation', names: names('TechArticle APIReference') },
  { kind: 'profile', names: names('ProfilePage') },
  { kind: 'collection', names: names('CollectionPage') },
  {
    kind: 'article',
    names: names(
      'NewsArticle BlogPosting ReportageNewsArticle AnalysisNewsArticle OpinionNewsArticle ScholarlyArticle',
    ),
  },
  { kind: 'service', names: names('Service ProfessionalService') },
];

const PRODUCT = names('Product ProductGroup');
/** A page may name variants of its product; so many are a shelf. */
const SEVERAL = 4;

/** Programs that make one kind of page only. */
const GENERATORS: readonly { readonly kind: string; readonly names: RegExp }[] = [
  {
    kind: 'documentation',
    names:
      /^(?:docusaurus|sphinx|docutils|mkdocs|rustdoc|javadoc|doxygen|gitbook|bookdown|vitepress|mdbook|antora|starlight|asciidoctor|readme)\b/i,
  },
  { kind: 'forum', names: /^(?:discourse|vbulletin|phpbb|xenforo|flarum|nodebb|mybb|invision)\b/i },
];

const DOCUMENTATION = /^(?:docs?|documentation|reference|manual|handbook|userguide|api-docs|apidocs|howto|man)$/;
const FORUM = /^(?:forums?|threads?|viewtopic\.php|showthread\.php|boards?|discussions?|bbs)$/;
const COLLECTION = /^collections$/;
const SERVICE = /^(?:services?|solutions|.*-services)$/;
const PRODUCT_PATH = /^(?:products?|dp|itm|item)$/;
const ARTICLE_PATH = /^(?:blog|blogs|news|articles?|story|stories|posts?)$/;

/** What the parts of an address call the page. The last part is its own name, which may be any word. */
function kindOfAddress({ hostname, pathname }: URL): string | undefined {
  const host = hostname.split('.')[0] ?? '';
  const parts = pathname
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const above = parts.slice(0, -1);
  if (DOCUMENTATION.test(host) || above.some((part) => DOCUMENTATION.test(part))) return 'documentation';
  if (/^(?:forums?|community|discuss|bbs|boards?)$/.test(host) || parts.some((part) => FORUM.test(part)))
    return 'forum';
  if (parts.some((part, at) => /^(?:questions|topic|t)$/.test(part) && parts.slice(at + 1).some(isNumbered)))
    return 'forum';
  if (PRODUCT_PATH.test(parts.at(-2) ?? '')) return 'product';
  if (above.some((part) => COLLECTION.test(part))) return 'collection';
  return parts.some((part) => SERVICE.test(part)) ? 'service' : undefined;
}

/** Threads are counted, rubrics are not. */
function isNumbered(part: string): boolean {
  return /^\d{3,}/.test(part);
}

/** An address of its own, more text than links, and a word for it. */
function isArticle({ url, meta, markdown, words }: Evidence, types: readonly string[], openGraph: string): boolean {
  const parts = new URL(url).pathname.split('/').filter((part) => part !== '');
  if (parts.length === 0 || isList(countLinks(markdown), words)) return false;
  const isDated = meta.has('article:published_time');
  const inSeries = parts.slice(0, -1).some((part) => ARTICLE_PATH.test(part.toLowerCase()) || /^20\d\d$/.test(part));
  // Some systems call every page an article, and give only real ones a date of publication.
  const isCalledSo = openGraph === 'article' && (isDated || !meta.has('article:modified_time'));
  return types.includes('Article') || isCalledSo || isDated || inSeries;
}

/** A page with many links and few words beside them lists what stands elsewhere. */
function isList(links: number, words: number): boolean {
  return links >= 10 && links * 15 > words;
}

function countLinks(markdown: string): number {
  return markdown.split('](').length - 1;
}
