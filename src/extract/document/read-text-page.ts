import { languageTagOf } from '../../codecs/aidocument/language-tag.ts';
import { wellFormed } from '../../codecs/aidocument/parse-json.ts';
import type { AIDocument } from '../../codecs/aidocument/wire.ts';
import { assembleDocument, documentUrlOf, type ReadPageOptions } from './assemble-document.ts';
import { contentShapeOf } from './content-shape.ts';
import { contentTypeOf } from './content-type.ts';
import { countTokens } from './count-tokens.ts';
import { countWords } from './count-words.ts';
import { detectLanguage } from './detect-language.ts';
import { splitFrontMatter } from './front-matter.ts';
import { MAX_DESCRIPTION, MAX_TITLE } from './identity.ts';
import { readAddresses, readMarkdownStructure } from './markdown-structure.ts';
import { shortText } from './short-text.ts';
import { textAsMarkdown } from './text-as-markdown.ts';
import { withoutNul } from './without-nul.ts';

export type TextMediaType = 'text/plain' | 'text/markdown';

/**
 * A page other than HTML as an AIDocument 2.0. Markdown stays as it is, and its front matter gives title, description and language. Plain text becomes Markdown
 * that keeps every line. Throws like {@link readPageDocument}.
 *
 * @example
 * const document = readTextPage('# Limits\n\nEvery account has limits.\n', 'https://docs.example/limits.md', 'text/markdown');
 * console.log(document.identity.title);
 */
export function readTextPage(
  text: string,
  url: string,
  mediaType: TextMediaType,
  options: ReadPageOptions = {},
): AIDocument {
  const pageUrl = documentUrlOf(url);
  const said = withoutNul(wellFormed(text))
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n');
  const isMarkdown = mediaType === 'text/markdown';
  const { fields, body } = isMarkdown ? splitFrontMatter(said) : { fields: NO_FIELDS, body: said };
  const markdown = isMarkdown ? body.replace(/^(?:[ \t]*\n)+/, '').trimEnd() : textAsMarkdown(body);
  const words = countWords(markdown);
  const { headings, links, images } = isMarkdown
    ? readMarkdownStructure(markdown, pageUrl)
    : { headings: [], links: readAddresses(body, pageUrl), images: [] };

  const title = shortText(fields.get('title') ?? headings.find(({ level }) => level === 1)?.text ?? '', MAX_TITLE);
  const description = shortText(fields.get('description') ?? fields.get('summary') ?? '', MAX_DESCRIPTION);
  return assembleDocument(
    {
      url: pageUrl,
      title: title === '' ? undefined : title,
      description: description === '' ? undefined : description,
      language: languageTagOf(fields.get('lang') ?? fields.get('language') ?? '') ?? detectLanguage(markdown),
      contentType: contentTypeOf({
        url: pageUrl,
        meta: NO_FIELDS,
        structuredData: undefined,
        itemTypes: [],
        shape: contentShapeOf(markdown, words),
      }),
      markdown,
      words,
      headings,
      links,
      images,
      rawTokens: () => countTokens(said),
    },
    options,
  );
}

const NO_FIELDS: ReadonlyMap<string, string> = new Map();
