import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface ShellCommand {
  /** As a person writes it. */
  readonly command: string;
  /** What it gets on its stdin: the only way in which anything reaches it. */
  readonly input: string;
  readonly signal: AbortSignal;
  /** What it prints, on stdout or stderr, line by line. */
  readonly onLine: (line: string) => void;
}

/** What it left open in the background is not waited for longer. */
const LINGER_MS = 1000;
const MAX_LINE = 10_000;

/** Runs a command in the shell until it ends: with its exit code, or the signal that ended it. An abort ends it. */
export async function runShellCommand({ command, input, signal, onLine }: ShellCommand): Promise<number | string> {
  const child = spawn(command, { shell: true, stdio: 'pipe', signal });
  // A command that does not want to know is none that failed.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  readLines(child.stdout, onLine);
  readLines(child.stderr, onLine);
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const ended = await new Promise<number | string>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, killedBy) => resolve(code ?? killedBy ?? 'an unknown signal'));
  });
  let lingering: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    lingering = setTimeout(resolve, LINGER_MS);
  });
  await Promise.race([closed, late]);
  clearTimeout(lingering);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  return ended;
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  let begun = '';
  const say = (line: string) => onLine(line.replace(/\r$/, ''));
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) say(line);
    if (begun.length < MAX_LINE) return;
    say(begun);
    begun = '';
  });
  stream.on('end', () => {
    if (begun !== '') say(begun);
  });
}
