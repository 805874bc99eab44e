/** The waiting callers, in order of arrival. */
const waiting: (() => void)[] = [];

/**
 * Resolves when everything else that waits on the event loop had its turn.
 *
 * Work that is cut into pieces calls it between two pieces. Only one waiting caller continues per turn of the loop: if pieces of several jobs ran one
 * after another, they would delay a request as much as uncut work.
 */
export function othersFirst(): Promise<void> {
  return new Promise((resume) => {
    waiting.push(resume);
    if (waiting.length === 1) setImmediate(resumeFirst);
  });
}

/** Runs the steps to their result and gives other work a turn between two of them. */
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
