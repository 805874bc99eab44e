/** What a page's JSON-LD says about it as an article, as far as it helps to find the text. Read from the source text. */
export interface ArticleData {
  /** Whether the page is one article rather than a list of them. */
  readonly isArticle: boolean;
  readonly authors: readonly string[];
}

/** Types of stand-alone articles. Manuals also call their pages Article or TechArticle. */
const ONE_ARTICLE =
  /"@type"\s{0,20}:\s{0,20}\[?\s{0,20}"(?:NewsArticle|BlogPosting|ReportageNewsArticle|OpinionNewsArticle)"/;
const LIST = /"@type"\s{0,20}:\s{0,20}\[?\s{0,20}"(?:CollectionPage|Blog|SearchResultsPage|ProfilePage)"/;
const AUTHOR = /"author"\s{0,20}:\s{0,20}\[?\s{0,20}\{[^{}]{0,300}?"name"\s{0,20}:\s{0,20}"([^"\\]{5,60})"/g;
const META_AUTHOR = /<meta\s[^>]{0,40}name=["']author["'][^>]{0,40}content=["']([^"'<>]{5,60})["']/i;
const MAX_AUTHORS = 8;

/** Works on the text of the scripts, because malformed JSON is just as informative. */
export function articleDataOf(html: string): ArticleData {
  let isArticle = false;
  let isList = false;
  const authors = new Set<string>();
  for (let at = html.indexOf('ld+json'); at !== -1; ) {
    const end = html.indexOf('</script', at);
    const data = html.slice(at, end === -1 ? html.length : end);
    isArticle ||= ONE_ARTICLE.test(data);
    isList ||= LIST.test(data);
    for (const [, name] of data.matchAll(AUTHOR))
      if (name !== undefined && authors.size < MAX_AUTHORS) authors.add(name);
    at = end === -1 ? -1 : html.indexOf('ld+json', end);
  }
  const named = META_AUTHOR.exec(html)?.[1];
  if (named !== undefined) authors.add(named);
  return { isArticle: isArticle && !isList, authors: [...authors].filter((name) => /\S\s+\S/.test(name)) };
}
