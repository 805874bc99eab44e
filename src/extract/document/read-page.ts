import { wellFormed } from '../../codecs/aidocument/parse-json.ts';
import type { AIDocument, DocumentHeading } from '../../codecs/aidocument/wire.ts';
import { extractReading, type SectionHeading } from '../extract-reading.ts';
import { attribute } from '../html-tree.ts';
import { parseDocument } from '../parse-html.ts';
import { createReadingRules, NO_RULES, type ReadingRules } from '../rules/reading-rules.ts';
import { ruledTree } from '../rules/ruled-tree.ts';
import { assembleDocument, documentUrlOf, type FetchFacts, type ReadPageOptions } from './assemble-document.ts';
import { contentShapeOf } from './content-shape.ts';
import { contentTypeOf } from './content-type.ts';
import { countWords } from './count-words.ts';
import { detectLanguage } from './detect-language.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { descriptionOf, pageLanguageOf, titleOf } from './identity.ts';
import { readImages } from './images.ts';
import { mergeJsonLd } from './json-ld.ts';
import { readLinks } from './links.ts';
import { collectParts, type PageParts } from './page-parts.ts';
import { webAddress } from './web-address.ts';
import { withoutNul } from './without-nul.ts';

export type { ReadPageOptions };

/**
 * A page as an AIDocument 2.0. Fetches nothing: `url` is where `html` was found, after redirects.
 *
 * Any text is read as HTML, and the same text gives the same document. Throws a TypeError if `url` is not an absolute http(s) URL or `fetchedAt` is not a time,
 * and a {@link TidingsError} for an invalid rule.
 *
 * @example
 * const document = readPage('<h1>Limits</h1><p>Every account has limits.</p>', 'https://docs.example/limits');
 * console.log(document.schema.ref, document.content.markdown);
 */
export function readPageDocument(html: string, url: string, options: ReadPageOptions = {}): AIDocument {
  const { rules, ...facts } = options;
  return readRuledPage(html, url, { ...facts, rules: createReadingRules(rules) });
}

export interface RuledPageOptions extends FetchFacts {
  /** Which parts of the page are read. Default: all. */
  readonly rules?: ReadingRules;
}

/** Like {@link readPageDocument}, with rules that are decoded once for many pages. */
export function readRuledPage(html: string, url: string, options: RuledPageOptions): AIDocument {
  return readWellFormed(withoutNul(wellFormed(html)), documentUrlOf(url), options);
}

function readWellFormed(html: string, url: string, options: RuledPageOptions): AIDocument {
  const { rules = NO_RULES } = options;
  const { root: whole, jsonLd } = parseDocument(html);
  const parsed = ruledTree(whole, rules);
  const parts = collectParts(whole);
  const base = (parts.base === undefined ? undefined : webAddress(parts.base, url))?.href ?? url;
  const links = readLinks(parts.links, url, base);
  const images = readImages(parts.images, base);
  const structuredData = mergeJsonLd(jsonLd);

  const { markdown, root, headings } = extractReading(html, url, { rules, parsed, base });
  const words = countWords(markdown);
  const { meta, itemTypes, canonicals } = parts;
  return assembleDocument(
    {
      url,
      canonicalUrl: canonicals[0] === undefined ? undefined : webAddress(canonicals[0], base)?.href,
      title: titleOf(parts, root),
      description: descriptionOf(parts),
      language: pageLanguageOf(parts) ?? detectLanguage(markdown),
      contentType: contentTypeOf({ url, meta, structuredData, itemTypes, shape: contentShapeOf(markdown, words) }),
      markdown,
      words,
      headings: headings.map((heading) => headingOf(heading, parts)),
      links,
      images,
      structuredData,
      rawTokens: () => estimateTokens(html),
    },
    options,
  );
}

function headingOf({ element, text, level }: SectionHeading, { innerIds }: PageParts): DocumentHeading {
  const id = attribute(element, 'id') || innerIds.get(element);
  return { level, text, ...(id !== undefined && { id }) };
}
