/** Those who wait, in the order in which they came. */
const waiting: (() => void)[] = [];

/**
 * Resolves when all else that waits on the event loop had its turn.
 *
 * Work that is cut into pieces calls it between two of them. Of all who wait, one goes on in a turn of the loop: pieces of several
 * works that came one behind the other would hold up a request as long as one that is not cut.
 */
export function othersFirst(): Promise<void> {
  return new Promise((resume) => {
    waiting.push(resume);
    if (waiting.length === 1) setImmediate(resumeFirst);
  });
}

/** What some steps come to; others have their turn between two of them. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await othersFirst();
  }
}

function resumeFirst(): void {
  const resume = waiting.shift();
  if (waiting.length > 0) setImmediate(resumeFirst);
  resume?.();
}
