#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { ExitCode } from './exit-code.ts';
import { openTerminalScreen } from './terminal-screen.ts';
import { terminalText } from './terminal-text.ts';
import type { World } from './world.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const stop = new AbortController();
// The end of a terminal's session (SIGHUP) is no reason to leave work in the middle.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
// A reader that has seen enough (`| head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 3));

let statusShown = false;
const clearStatus = () => {
  if (statusShown) process.stderr.write('\r\x1b[2K');
  statusShown = false;
};

/** An end of the input, or the wish to stop, is no answer. */
async function ask(question: string): Promise<string> {
  clearStatus();
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(terminalText(question), { signal: stop.signal }), ended]);
  } finally {
    lines.close();
  }
}

const world: World = {
  env: process.env,
  version,
  isTerminal: process.stderr.isTTY === true,
  ...(process.stdin.isTTY === true && process.stderr.isTTY === true && { ask }),
  ...(process.stdout.isTTY === true && { openScreen: () => openTerminalScreen(process.stdin, process.stdout) }),
  signal: stop.signal,
  print: (line) =>
    new Promise((resolve) => {
      clearStatus();
      process.stdout.write(`${terminalText(line)}\n`, () => resolve());
    }),
  complain(line) {
    clearStatus();
    process.stderr.write(`${terminalText(line)}\n`);
  },
  status(line) {
    if (!process.stderr.isTTY) return;
    clearStatus();
    if (line === '') return;
    process.stderr.write(terminalText(line).slice(0, (process.stderr.columns ?? 80) - 1));
    statusShown = true;
  },
};

// Node 22 warns that its SQLite is experimental; the user of a command can do nothing about that.
process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => {
  if (name !== 'ExperimentalWarning' || !message.startsWith('SQLite')) world.complain(`${name}: ${message}`);
});

const argv = process.argv.slice(2);
try {
  // Scripts ask for it often, and nothing needs to be loaded to answer.
  if (argv[0] === '--version' || argv[0] === '-V') await world.print(version);
  else process.exitCode = await (await import('./run.ts')).run(argv, world);
} catch (error) {
  // A bug. Node would end with 1, which means findings.
  world.complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = ExitCode.Incomplete;
}
