/** Where one feed of a DiffDelta service is. */
export interface FeedPlace {
  /** The head, where there is one. */
  readonly head?: string;
  /** The feed itself: where there is no head, and for a first reading, which needs the feed in any case. */
  readonly latest?: string;
  /** Where else the service says that the feed is: asked where it is not at those, or older than its head. */
  readonly other?: string;
}
