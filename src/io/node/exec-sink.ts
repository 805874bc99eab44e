import { CodedError } from '../../errors/coded-error.ts';
import type { Sink } from '../../sync/sink.ts';
import { explainingDisk, heldOf, PageFactsFolder } from '../files/page-facts.ts';
import { runShellCommand } from './shell-command.ts';

export interface ExecSinkOptions {
  /** Where is written down what the command has taken. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** What the command prints. */
  readonly onLine: (line: string) => void;
}

/** What a shell answers when there is no such command, or it may not be run. */
const NO_COMMAND = new Set([126, 127]);

/**
 * A command that is run for each edit, with JSON on its stdin: `{ op: 'put', page }` or `{ op: 'remove', url }`. Exit code 0 says that it has taken it; killed in
 * between, it gets the same edit once more.
 */
export async function openExecSink(command: string, { folder, signal, onLine }: ExecSinkOptions): Promise<Sink> {
  const facts = new PageFactsFolder(folder);
  await explainingDisk(folder, () => facts.dropTemporary());
  const run = async (url: string, edit: object) => {
    const ended = await runShellCommand({ command, input: `${JSON.stringify(edit)}\n`, signal, onLine });
    if (ended !== 0) throw refusedBy(command, url, ended);
  };
  return {
    pages: () => facts.all(),
    held: (url) => explainingDisk(folder, () => facts.of(url)),
    async put(page) {
      await run(page.url, { op: 'put', page: withPlainVectors(page) });
      await explainingDisk(folder, () => facts.keep(heldOf(page)));
    },
    async remove(url) {
      if ((await explainingDisk(folder, () => facts.of(url))) === undefined) return;
      await run(url, { op: 'remove', url });
      await explainingDisk(folder, () => facts.drop(url));
    },
  };
}

/** As JSON a typed array would be an object with numbers for names. */
function withPlainVectors<T>(page: T): unknown {
  return JSON.parse(JSON.stringify(page, (_, value: unknown) => (value instanceof Float32Array ? [...value] : value)));
}

/** One page that is refused leaves the others; a command that cannot be run at all ends it. */
function refusedBy(command: string, url: string, ended: number | string): CodedError {
  const isMissing = typeof ended === 'number' && NO_COMMAND.has(ended);
  const how = typeof ended === 'number' ? `exit code ${ended}` : `signal ${ended}`;
  const message = `"${command}" did not take ${url}: it ended with ${how}. It gets it again at the next run.`;
  return new CodedError('SinkFailedError', isMissing ? 'retry-later' : 'fix-input', message, { url });
}
