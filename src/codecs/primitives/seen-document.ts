/** A document that a check asked for, of a live site or of a folder. */
export type SeenDocument = AnsweredDocument | UnreadDocument;

export interface AnsweredDocument {
  readonly kind: 'answered';
  /** The URL or the file. */
  readonly where: string;
  /** A file that exists has 200, one that does not 404. */
  readonly status: number;
  /** Names in lower case. Undefined in a folder that does not say how it is served. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly bytes: Uint8Array;
  /** What came first had another digest than it named. */
  readonly wasAltered?: true;
  /** Where the answer came from, when redirects led elsewhere. */
  readonly servedBy?: string;
}

/** No whole answer could be had. */
export interface UnreadDocument {
  readonly kind: 'unread';
  readonly where: string;
  readonly failure: string;
}

/** A document that is there. */
export function isFound(document: SeenDocument | undefined): document is AnsweredDocument & { readonly status: 200 } {
  return document?.kind === 'answered' && document.status === 200;
}

/** A document as text. What is not UTF-8 becomes U+FFFD and is told. */
export function documentText(document: AnsweredDocument): { readonly text: string; readonly isUtf8: boolean } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document.bytes);
    return { text, isUtf8: true };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(document.bytes), isUtf8: false };
  }
}

/** The media type without parameters, in lower case. Undefined where nothing says it. */
export function mediaTypeOf(document: AnsweredDocument): string | undefined {
  return document.headers?.['content-type']?.split(';')[0]?.trim().toLowerCase();
}

export function looksLikeHtml(text: string): boolean {
  return /^[\uFEFF\s]*<(?:!doctype|html|head|body|\?xml|!--)/i.test(text.slice(0, 1000));
}
