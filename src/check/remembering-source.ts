import type { AnsweredDocument } from '../codecs/primitives/seen-document.ts';
import type { DocumentSource, FailedRead } from '../dialects/document-source.ts';

/** A place whose answers are kept for the next one who asks the same, and which says when to ask no more. */
export interface RememberingSource extends DocumentSource {
  /** Whether the place gave no answer, or asked for a pause: to go on asking is of no use now. */
  readonly isSilent: boolean;
  /** What came with another digest than it named, at first. */
  readonly altered: readonly string[];
}

/**
 * A place that is looked through before it is checked: what dialects read to find out whether they are there need not be asked for
 * again by their check. Each answer is given out once more, and then forgotten.
 */
export function rememberAnswers(source: DocumentSource): RememberingSource {
  const kept = new Map<string, AnsweredDocument>();
  const altered: string[] = [];
  let isSilent = false;
  const keyOf = (address: string) => (source.url === undefined ? address : new URL(address, source.url).href);
  return {
    ...source,
    get isSilent() {
      return isSilent;
    },
    altered,
    async read(address, options = {}) {
      const isPlain = options.headers === undefined && options.secretHeaders === undefined && !options.headersOnly;
      const key = keyOf(address);
      const known = isPlain ? kept.get(key) : undefined;
      if (known !== undefined) {
        kept.delete(key);
        return known;
      }
      const document = await source.read(address, options);
      isSilent ||= isSilence(document);
      if (document.kind === 'answered' && document.wasAltered) altered.push(document.where);
      if (isPlain && source.live && document.kind === 'answered') kept.set(key, document);
      return document;
    },
  };
}

function isSilence(document: AnsweredDocument | FailedRead): boolean {
  if (document.kind === 'unread') return document.recovery !== 'fix-input';
  return document.status === 429 || document.status === 503;
}
