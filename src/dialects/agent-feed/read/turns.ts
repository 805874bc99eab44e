/** One after the other for each name; those of different names beside each other. */
export interface Turns {
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** When all that was taken here and is under way is over. */
  settled(): Promise<void>;
}

/** By name, the last one that was taken. */
type Queues = Map<string, Promise<unknown>>;

const queuesOf = new WeakMap<object, Queues>();

/** All that take turns on the same thing wait for each other. */
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
