import { run } from '../../src/cli/run.ts';
import { CACHE, type CliResult } from './cli.ts';

/** The command line without a separate process. */
export const tidingsHere = tidingsIn({});

/** The same with a home folder for tests, which may contain a cache. */
export const tidingsCached = tidingsIn({ HOME: CACHE });

/** The command line with the environment of a test. */
export function tidingsIn(env: Readonly<Record<string, string>>): (...args: string[]) => Promise<CliResult> {
  return async (...args) => {
    const printed: string[] = [];
    const complaints: string[] = [];
    const code = await run(args, {
      print: async (line) => void printed.push(`${line}\n`),
      complain: (line) => void complaints.push(`${line}\n`),
      status: () => {},
      isTerminal: false,
      version: '0.0.0',
      env,
      signal: new AbortController().signal,
    });
    return { code, stdout: printed.join(''), stderr: complaints.join('') };
  };
}

export interface SaidLines {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The same, with the output as lines, without a final line end. */
export function linesIn(env: Readonly<Record<string, string>>): (...args: string[]) => Promise<SaidLines> {
  const tidings = tidingsIn(env);
  return async (...args) => {
    const { code, stdout, stderr } = await tidings(...args);
    return { code, out: stdout.slice(0, -1), err: stderr.slice(0, -1) };
  };
}
