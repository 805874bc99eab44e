/** The WebSub hubs that a feed names. They push its news at once. */
export interface NamedHubs {
  /** Where that was read: the requested URL, before redirects. */
  readonly at: string;
  /** Absolute URLs. Empty: it names none. */
  readonly hubs: readonly string[];
  /** Its own URL as it states it, without a fragment. A feed that does not state it cannot be subscribed to. */
  readonly self?: string;
}
