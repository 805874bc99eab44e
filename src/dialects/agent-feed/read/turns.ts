/** Work under the same name runs one after the other; work under different names runs in parallel. */
export interface Turns {
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when all work that was started here has ended. */
  settled(): Promise<void>;
}

/** The last work in the queue, by name. */
type Queues = Map<string, Promise<unknown>>;

const queuesOf = new WeakMap<object, Queues>();

/** All callers that pass the same object wait for each other. */
export function turnsOn(shared: object): Turns {
  const queues = queuesOf.get(shared) ?? new Map();
  queuesOf.set(shared, queues);
  return createTurns(queues);
}

function createTurns(queues: Queues): Turns {
  const own = new Set<Promise<unknown>>();
  return {
    async take(name, work) {
      const turn = (queues.get(name) ?? Promise.resolve()).then(work, work);
      queues.set(name, turn);
      own.add(turn);
      try {
        return await turn;
      } finally {
        own.delete(turn);
        if (queues.get(name) === turn) queues.delete(name);
      }
    },
    async settled() {
      await Promise.allSettled(own);
    },
  };
}
