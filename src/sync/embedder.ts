/** Makes vectors from texts: a server, or a module of the user. */
export interface Embedder {
  /** Part of the fingerprint of every chunk. */
  readonly model: string;
  /** If it is known before the first answer. */
  readonly dimension?: number | undefined;
  /** One vector for each text, in the same order. The caller checks the answer. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
}

export interface Embedded {
  readonly vectors: readonly (ArrayLike<number> | unknown)[];
  /** As the server counts them, where it does. */
  readonly tokens?: number | undefined;
}
