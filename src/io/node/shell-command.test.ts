import { expect, test } from 'vitest';
import { runShellCommand } from './shell-command.ts';

async function run(command: string, input = '') {
  const lines: string[] = [];
  const { signal } = new AbortController();
  return { ended: await runShellCommand({ command, input, signal, onLine: (line) => lines.push(line) }), lines };
}

test('what it gets, what it prints and how it ends', async () => {
  const { ended, lines } = await run('cat; echo wrong >&2; exit 7', 'one\ntwo');
  expect([ended, lines.toSorted()]).toEqual([7, ['one', 'two', 'wrong']]);
  expect(await run('kill -KILL $$')).toEqual({ ended: 'SIGKILL', lines: [] });
  expect((await run('no-such-command-here')).ended).toBe(127);
});

test('a command that does not read what it gets is well, however much that is', async () => {
  expect(await run('exit 0', 'x'.repeat(4_000_000))).toEqual({ ended: 0, lines: [] });
});

test('a long text without an end is shown in parts', async () => {
  const { lines } = await run("printf '%030000d' 0");
  expect(lines.join('')).toHaveLength(30_000);
});

test('what it leaves in the background does not hold it up', async () => {
  const { ended, lines } = await run('echo done; sleep 30 & echo $!');
  expect([ended, lines[0]]).toEqual([0, 'done']);
  process.kill(Number(lines[1]));
});

test('a stop ends it', async () => {
  const stop = new AbortController();
  const onLine = () => stop.abort();
  const running = runShellCommand({ command: 'echo begun; exec sleep 30', input: '', signal: stop.signal, onLine });
  await expect(running).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
});
