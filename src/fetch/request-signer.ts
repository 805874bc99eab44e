/** A request that is about to be sent. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
}

/**
 * Signs requests, so that origins know who asks. Each hop of a redirect and each retry is a request of its own: a signature is never used twice.
 */
export interface RequestSigner {
  /** What is sent beside; nothing where the request goes unsigned. */
  fieldsFor(request: UnsignedRequest): Readonly<Record<string, string>>;
  /** What a second request has to say where the answer to the first asks for a signature. Undefined: there is nothing to be said. */
  answerTo(
    request: UnsignedRequest,
    answer: { readonly status: number; readonly acceptSignature: string | undefined },
  ): Readonly<Record<string, string>> | undefined;
}
