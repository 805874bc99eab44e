/** What makes vectors of texts: a server, or a module of the user. */
export interface Embedder {
  /** Part of the fingerprint of every chunk. */
  readonly model: string;
  /** Where it is known before the first answer. */
  readonly dimension?: number | undefined;
  /** One vector for each text, in their order. What is wrong with the answer is found by who asks. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
}

export interface Embedded {
  readonly vectors: readonly (ArrayLike<number> | unknown)[];
  /** As the server counts them, where it does. */
  readonly tokens?: number | undefined;
}
