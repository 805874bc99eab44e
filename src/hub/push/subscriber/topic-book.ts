import type { Following, TopicEdit, TopicStore, TopicSubscription } from './topic-subscription.ts';

/** All subscriptions in memory, as they are stored. Edits that cannot be written do not count. */
export class TopicBook {
  readonly #store: TopicStore;
  readonly #followings = new Map<string, Following>();
  readonly #subscriptions = new Map<string, TopicSubscription>();
  readonly #bySource = new Map<string, Set<string>>();

  constructor(store: TopicStore) {
    this.#store = store;
    const { followings, subscriptions } = store.all();
    for (const following of followings) this.#followings.set(following.source, following);
    for (const subscription of subscriptions) this.#enter(subscription);
    store.onWritten((edit) => this.#hear(edit));
  }

  sources(): readonly string[] {
    return [...this.#followings.keys()];
  }

  following(source: string): Following | undefined {
    return this.#followings.get(source);
  }

  subscription(id: string): TopicSubscription | undefined {
    return this.#subscriptions.get(id);
  }

  of(source: string): readonly TopicSubscription[] {
    return [...(this.#bySource.get(source) ?? [])].flatMap((id) => this.#subscriptions.get(id) ?? []);
  }

  all(): Iterable<TopicSubscription> {
    return this.#subscriptions.values();
  }

  /** Takes effect when it is durable. If the store throws, nothing has changed. */
  write(edit: TopicEdit): Promise<void> {
    return this.#store.write(edit);
  }

  /** Without a write: for facts that a crash may lose. */
  keep(known: Following | TopicSubscription): void {
    if ('named' in known) this.#followings.set(known.source, known);
    else this.#subscriptions.set(known.id, known);
  }

  #hear(edit: TopicEdit): void {
    const { following, subscriptions = [], forget = [], drop = [] } = edit;
    if (following !== undefined) this.#followings.set(following.source, following);
    for (const subscription of subscriptions) this.#enter(subscription);
    for (const id of drop) this.#leave(id);
    for (const source of forget) this.#followings.delete(source);
  }

  #enter(subscription: TopicSubscription): void {
    const { id, source } = subscription;
    this.#subscriptions.set(id, subscription);
    const ofSource = this.#bySource.get(source) ?? new Set();
    this.#bySource.set(source, ofSource.add(id));
  }

  #leave(id: string): void {
    const { source = '' } = this.#subscriptions.get(id) ?? {};
    this.#subscriptions.delete(id);
    const ofSource = this.#bySource.get(source);
    ofSource?.delete(id);
    if (ofSource?.size === 0) this.#bySource.delete(source);
  }
}
