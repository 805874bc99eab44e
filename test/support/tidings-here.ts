import { run } from '../../src/cli/run.ts';
import type { CliResult } from './cli.ts';

/** The command line without a process of its own. */
export async function tidingsHere(...args: string[]): Promise<CliResult> {
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await run(args, {
    print: async (line) => void printed.push(`${line}\n`),
    complain: (line) => void complaints.push(`${line}\n`),
    status: () => {},
    isTerminal: false,
    version: '0.0.0',
    env: {},
    signal: new AbortController().signal,
  });
  return { code, stdout: printed.join(''), stderr: complaints.join('') };
}
