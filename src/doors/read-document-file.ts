import type { AIDocument } from '../codecs/aidocument/wire.ts';
import { EmptyPageError } from '../errors/crawl-error.ts';
import { FolderError } from '../errors/folder-error.ts';
import { decodeHtml, decodeText } from '../extract/decode-html.ts';
import { readRuledPage } from '../extract/document/read-page.ts';
import { readTextPage } from '../extract/document/read-text-page.ts';
import { createReadingRules } from '../extract/rules/reading-rules.ts';
import { readPageFile } from '../io/files/page.ts';
import type { GivenRules } from '../model/given-rules.ts';
import { publicPageUrl } from './public-page-url.ts';

const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** By file extension. Anything else is HTML. */
const TEXT_TYPES = [
  [/\.(?:md|markdown)$/i, 'text/markdown'],
  [/\.txt$/i, 'text/plain'],
] as const;

/** Reads a page on disk (`-`: standard input) as the document of the URL it belongs to. Nothing is fetched or stored. */
export async function readDocumentFile(path: string, url: string, given: GivenRules = {}): Promise<AIDocument> {
  const address = publicPageUrl(url);
  const rules = createReadingRules(given);
  const bytes = await readPageFile(path, { maxBytes: MAX_FILE_BYTES });
  const textType = TEXT_TYPES.find(([ending]) => ending.test(path))?.[1];
  const text = textType === undefined ? decodeHtml(bytes) : decodeText(bytes);
  if (!text.ok) throw new FolderError(path, `it is no page that can be read: ${text.issues[0].message}`);

  const document =
    textType === undefined
      ? readRuledPage(text.value, address.href, { rules })
      : readTextPage(text.value, address.href, textType);
  if (document.content.markdown.trim() === '')
    throw new EmptyPageError(address, 'Save it as a browser shows it, if scripts make it.');
  return document;
}
