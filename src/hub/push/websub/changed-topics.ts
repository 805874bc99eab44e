import type { ShelfTopic } from '../../../dialects/shelf.ts';
import type { ChangeTail, TailEvent } from '../change-tail.ts';
import type { Subscribers } from './subscribers.ts';

/** A topic with subscribers. */
export interface TrackedTopic extends ShelfTopic {
  /** The `seq` of the newest change that it contains. */
  seq: number;
}

export interface ChangedTopicsParts {
  readonly tail: Pick<ChangeTail, 'seq' | 'read' | 'onEvents'>;
  readonly subscribers: Subscribers;
  readonly topicAt: (path: string) => ShelfTopic | undefined;
  /** The state of each topic, and the place up to which the log was examined. */
  readonly known: { readonly topics: ReadonlyMap<string, number>; readonly seq: number | undefined };
  readonly onChanged: (topic: TrackedTopic) => void;
  readonly onBug: (error: unknown) => void;
}

const READ_AT_ONCE = 500;

/** Reads the log and reports which topics have changed. Continues where it was when the hub stopped or crashed. */
export class ChangedTopics {
  readonly #parts: ChangedTopicsParts;
  readonly #topics = new Map<string, TrackedTopic>();
  readonly #bySource = new Map<string | undefined, Set<TrackedTopic>>();
  #seq: number;
  #reading: Promise<void> | undefined;
  #isAsked = false;
  #isClosed = false;
  #end: () => void = () => {};

  constructor(parts: ChangedTopicsParts) {
    this.#parts = parts;
    const { known, tail } = parts;
    const hasSubscribers = parts.subscribers.size > 0;
    // A log that is shorter than it was is another one.
    this.#seq = hasSubscribers ? Math.min(known.seq ?? tail.seq, tail.seq) : tail.seq;
    for (const path of parts.subscribers.paths()) this.track(path);
  }

  /** The log was examined up to here. */
  get seq(): number {
    return this.#seq;
  }

  get(path: string): TrackedTopic | undefined {
    return this.#topics.get(path);
  }

  /** From now on its changes are reported. Undefined if it is not a topic. */
  track(path: string): TrackedTopic | undefined {
    const tracked = this.#topics.get(path);
    if (tracked !== undefined) return tracked;
    const { topicAt, known, tail } = this.#parts;
    const topic = topicAt(path);
    if (topic === undefined) return undefined;
    const made = { ...topic, seq: Math.min(known.topics.get(path) ?? this.#seq, tail.seq) };
    this.#topics.set(path, made);
    const others = this.#bySource.get(topic.source) ?? new Set();
    this.#bySource.set(topic.source, others.add(made));
    return made;
  }

  /** When it has no more subscribers. */
  forget(path: string): void {
    const topic = this.#topics.get(path);
    if (topic === undefined || this.#parts.subscribers.hasPath(path)) return;
    this.#topics.delete(path);
    this.#bySource.get(topic.source)?.delete(topic);
  }

  begin(): void {
    this.#end = this.#parts.tail.onEvents(() => this.#read());
    this.#read();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#reading;
  }

  /** One reading at a time; later changes are read after it. */
  #read(): void {
    this.#isAsked = true;
    this.#reading ??= this.#readAll()
      .catch(this.#parts.onBug)
      .finally(() => {
        this.#reading = undefined;
      });
  }

  async #readAll(): Promise<void> {
    const { tail } = this.#parts;
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false;
      for (;;) {
        const events = await tail.read(this.#seq, READ_AT_ONCE);
        if (events.length === 0 || this.#isClosed) break;
        this.#take(events);
      }
    }
  }

  #take(events: readonly TailEvent[]): void {
    const { subscribers, onChanged } = this.#parts;
    const changed = new Set<TrackedTopic>();
    for (const { change } of events) {
      this.#seq = change.seq;
      for (const source of [undefined, change.source]) {
        for (const topic of this.#bySource.get(source) ?? []) {
          if (!topic.tells(change)) continue;
          topic.seq = change.seq;
          changed.add(topic);
        }
      }
    }
    if (this.#topics.size > 0) {
      subscribers.noteSeq(this.#seq, new Map([...changed].map(({ path, seq }) => [path, seq])));
    }
    for (const topic of changed) onChanged(topic);
  }
}
