/** The URLs of one feed of a DiffDelta service. */
export interface FeedPlace {
  /** The head, if there is one. */
  readonly head?: string;
  /** The feed itself: used if there is no head, and for a first reading, which needs the feed anyway. */
  readonly latest?: string;
  /** Another URL that the service states for the feed: used if the feed is not at the others, or older than its head. */
  readonly other?: string;
}
