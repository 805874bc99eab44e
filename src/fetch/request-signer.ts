/** A request that is about to be sent. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
}

/** Signs requests, so that origins know who asks. Each hop of a redirect and each retry is a separate request: a signature is never used twice. */
export interface RequestSigner {
  /** The additional header fields; empty if the request is not signed. */
  fieldsFor(request: UnsignedRequest): Readonly<Record<string, string>>;
  /** The additional fields of a second request, if the response to the first asks for a signature. Undefined: there is nothing to add. */
  answerTo(
    request: UnsignedRequest,
    answer: { readonly status: number; readonly acceptSignature: string | undefined },
  ): Readonly<Record<string, string>> | undefined;
}
