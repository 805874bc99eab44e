import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';

type Run<Module, Input> = (module: Module, input: Input) => unknown;
type Answer = { id: number; steps: number[] } | { id: number; error: unknown };

/** For four times the input: a little more than four times the steps, because of sorting, but not sixteen. */
const MOST_GROWTH = 6;

let worker: Worker | undefined;
let asked = 0;

/**
 * Counts the steps of a call into the built package, for each input. `run` is sent as text: it sees only its arguments.
 *
 * @example
 * const source = new URL('./excerpt.ts', import.meta.url);
 * await countSteps<typeof import('./excerpt.ts'), string>(source, ({ excerptOf }, text) => excerptOf(text), ['a', 'b'])
 */
export async function countSteps<Module, Input>(
  source: URL,
  run: Run<Module, Input>,
  inputs: readonly Input[],
): Promise<number[]> {
  const built = new URL(source.href.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js'));
  if (!existsSync(built)) throw new Error(`${fileURLToPath(built)} is not there: npm run build makes it.`);
  worker ??= new Worker(new URL('step-worker.mjs', import.meta.url));
  const id = ++asked;
  const to = worker;
  to.ref();
  try {
    return await new Promise<number[]>((resolve, reject) => {
      const settle = (answer: Answer) => {
        if (answer.id !== id) return;
        to.off('message', settle).off('error', reject);
        if ('error' in answer) reject(answer.error);
        else resolve(answer.steps);
      };
      to.on('message', settle).on('error', reject);
      to.postMessage({ id, module: built.href, run: run.toString(), inputs });
    });
  } finally {
    to.unref();
  }
}

/** Fails if four times the input takes far more than four times the steps. */
export async function expectLinear<Module, Input>(
  source: URL,
  run: Run<Module, Input>,
  inputOf: (size: number) => Input,
  size = 200,
): Promise<void> {
  // What is loaded or made once at the first call does not count.
  const inputs = [Math.ceil(size / 2), size, size * 4].map(inputOf);
  const [, few = 0, many = 0] = await countSteps(source, run, inputs);
  expect(few, 'steps are counted').toBeGreaterThan(0);
  expect(many / few, `${few} steps for ${size}, ${many} for ${size * 4}`).toBeLessThan(MOST_GROWTH);
}
