/** What a feed says of hubs of WebSub, which tell of its news at once. */
export interface NamedHubs {
  /** Where that was read: the address that was asked for, before redirects. */
  readonly at: string;
  /** Absolute. Empty: it names none. */
  readonly hubs: readonly string[];
  /** What it calls itself, without a fragment. Nobody can subscribe to one that does not say it. */
  readonly self?: string;
}
