import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import { readLog } from '../../doors/read-log.ts';
import { ExitCode } from '../exit-code.ts';
import { wholeNumber } from '../option-values.ts';
import type { Verb } from '../verb.ts';

export const log: Verb = {
  name: 'log',
  summary: 'What happened? The changes of a published site, a data folder or a follower, oldest first.',
  example: 'tidings log ./site --limit 20',

  configure(command) {
    command
      .argument('[place]', 'a published site, a --state folder or file, or a data folder', '.')
      .option('--after <seq>', 'only changes after this one', wholeNumber(0))
      .option('--limit <count>', 'at most so many', wholeNumber(1))
      .option('--json', 'print each change as one line of JSON');
  },

  async run([place = '.'], { after, limit, json }, world) {
    const range = { after: after as number | undefined, limit: limit as number | undefined };
    for await (const change of readLog(place, range)) {
      if (json) await world.print(JSON.stringify(change));
      else {
        const note = change.note === undefined ? '' : `  (${change.note})`;
        await world.print(
          `${String(change.seq).padStart(6)}  ${change.time}  ${change.action.padEnd(6)}  ${boundaryOf(change)}${note}`,
        );
      }
      if (world.signal.aborted) break;
    }
    return ExitCode.Done;
  },
};
