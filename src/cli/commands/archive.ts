import { ExitCode } from '../exit-code.ts';
import { addHubAddressOption, openHubClient } from '../hub-client.ts';
import { showHubJobs } from '../hub-jobs.ts';
import { caOption, wholeNumber } from '../option-values.ts';
import type { Verb } from '../verb.ts';

/** A long log takes its time to be written out. */
const DEADLINE_MS = 3600_000;

interface ArchiveAnswer {
  readonly archive: { readonly url: string; readonly first_seq: number; readonly last_seq: number } | null;
}

export const archive: Verb = {
  example: 'tidings archive --keep-days 365 --hub http://127.0.0.1:8080/',

  configure(command) {
    command.requiredOption('--keep-days <days>', 'keep changes younger than this in the log', wholeNumber(1));
    addHubAddressOption(command).addOption(caOption()).option('--json', 'print the archive as JSON');
  },

  async run(_args, options, world) {
    await using client = await openHubClient(options, world);
    if (client === undefined) {
      world.complain(
        'tidings: Only a hub that runs can cut its log. Name it with --hub, or set retention.log in its config.',
      );
      return ExitCode.BadUsage;
    }
    const body = { days: options.keepDays };
    using shown = showHubJobs(client, world);
    const answer = await client.ask({ method: 'POST', path: 'api/v1/archives', body, deadlineMs: DEADLINE_MS });
    shown[Symbol.dispose]();
    const { archive: made } = answer as ArchiveAnswer;
    if (options.json) await world.print(JSON.stringify(made));
    else if (made === null) await world.print('Nothing in the log is that old.');
    else {
      await world.print(
        `Changes ${made.first_seq} to ${made.last_seq} are in ${made.url} now, and not in the log any more.`,
      );
      await world.print('Feeds go on under new names, which discovery tells; those before stay as they are.');
    }
    return ExitCode.Done;
  },
};
