import type { AnsweredDocument } from '../codecs/primitives/seen-document.ts';
import type { DocumentSource, FailedRead } from '../dialects/document-source.ts';

/** A place that keeps responses for the next caller with the same request, and says when to stop asking. */
export interface RememberingSource extends DocumentSource {
  /** Whether the place gave no answer, or asked for a pause: further requests are useless now. */
  readonly isSilent: boolean;
  /** Documents that at first did not match the digest in their response. */
  readonly altered: readonly string[];
}

/**
 * A place that is searched for dialects before it is checked: a check need not request again what the search has read. Each response is returned once
 * more and then dropped.
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
