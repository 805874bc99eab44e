import type { FollowedEvent } from '../doors/follow.ts';
import { CommandFailedError } from '../errors/command-failed-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { runShellCommand } from '../io/node/shell-command.ts';
import type { World } from './world.ts';

/**
 * Runs the command for one event after another, with the event as JSON on its stdin; nothing of an event is in the command line. Its output is shown as
 * diagnostics, so that stdout holds only events.
 */
export function execTaker(command: string, world: World): (event: FollowedEvent, signal: AbortSignal) => Promise<void> {
  if (command.trim() === '') throw new SettingRefusedError('--exec', JSON.stringify(command), 'Give a command.');
  let turn = Promise.resolve();
  const run = async (event: FollowedEvent, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    const input = `${JSON.stringify(event)}\n`;
    const ended = await runShellCommand({ command, input, signal, onLine: (line) => world.complain(line) });
    if (ended !== 0) throw new CommandFailedError(event.boundary, ended);
  };
  return (event, signal) => {
    const mine = turn.then(() => run(event, signal));
    turn = mine.catch(() => {});
    return mine;
  };
}
