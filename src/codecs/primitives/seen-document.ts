/** A document that a check requested, from a live site or a folder. */
export type SeenDocument = AnsweredDocument | UnreadDocument;

export interface AnsweredDocument {
  readonly kind: 'answered';
  /** The URL or the file. */
  readonly where: string;
  /** An existing file has 200, a missing one 404. */
  readonly status: number;
  /** Names in lower case. Undefined for a folder that does not say how it is served. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly bytes: Uint8Array;
  /** The first answer did not match the digest that it named. */
  readonly wasAltered?: true;
  /** The URL of the answer, if redirects led elsewhere. */
  readonly servedBy?: string;
}

/** No complete answer could be obtained. */
export interface UnreadDocument {
  readonly kind: 'unread';
  readonly where: string;
  readonly failure: string;
}

/** Whether the document exists. */
export function isFound(document: SeenDocument | undefined): document is AnsweredDocument & { readonly status: 200 } {
  return document?.kind === 'answered' && document.status === 200;
}

/** A document as text. Bytes that are not UTF-8 become U+FFFD, and `isUtf8` is false. */
export function documentText(document: AnsweredDocument): { readonly text: string; readonly isUtf8: boolean } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document.bytes);
    return { text, isUtf8: true };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(document.bytes), isUtf8: false };
  }
}

/** The media type without parameters, in lower case. Undefined if it is not stated. */
export function mediaTypeOf(document: AnsweredDocument): string | undefined {
  return document.headers?.['content-type']?.split(';')[0]?.trim().toLowerCase();
}

export function looksLikeHtml(text: string): boolean {
  return /^[\uFEFF\s]*<(?:!doctype|html|head|body|\?xml|!--)/i.test(text.slice(0, 1000));
}
