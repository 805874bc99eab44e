/** Limits how many operations run at once; the others wait in order. */
export interface Semaphore {
  /** Resolves with a function that ends the turn. */
  take(): Promise<() => void>;
}

export function createSemaphore(atOnce: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = atOnce;

  const end = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let ended = false;
      return () => {
        if (!ended) end();
        ended = true;
      };
    },
  };
}
