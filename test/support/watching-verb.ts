import { run } from '../../src/cli/run.ts';

/** `tidings …` in this process, until the test ends it. */
export function running(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const stop = new AbortController();
  const out: string[] = [];
  const code = run(args, {
    env,
    isTerminal: false,
    version: '0.0.0',
    signal: stop.signal,
    print: async (line) => void out.push(line),
    complain: (line) => void out.push(`stderr: ${line}`),
    status: () => {},
  });
  return { out, code, stop: () => stop.abort() };
}
