import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import { readLog } from '../../doors/read-log.ts';
import { LogMissingError } from '../../errors/log-missing-error.ts';
import type { Change } from '../../model/change.ts';
import { dataFolderOf } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { wholeNumber } from '../option-values.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

const HERE = '.';

export const log: Verb = {
  name: 'log',
  summary: 'What happened? The changes of a published site, a data folder or a follower, oldest first.',
  example: ['tidings log ./site --limit 20', 'tidings log ./data --source docs --after 1200'].join('\n'),

  configure(command) {
    command
      .argument('[place]', 'a published site, a --state folder or file, or a data folder (default: that of the config, or here)')
      .option('--config <file>', 'the settings of the hub whose log it is (default: tidings.config.json here)')
      .option('--source <id>', 'only changes of this source')
      .option('--after <seq>', 'only changes after this one', wholeNumber(0))
      .option('--limit <count>', 'at most so many', wholeNumber(1))
      .option('--json', 'print each change as one line of JSON');
  },

  async run([place], options, world) {
    const { after, limit = Number.POSITIVE_INFINITY, source, json } = options as LogOptions;
    let left = limit;
    // The limit counts what is printed, so it is the reader's own only where everything is.
    const range = { ...(after !== undefined && { after }), ...(source === undefined && { limit: options.limit as number }) };
    for await (const change of readPlaces(placesOf(place, world), range)) {
      if (source !== undefined && change.source !== source) continue;
      await world.print(json ? JSON.stringify(change) : lineOf(change));
      left -= 1;
      if (left === 0 || world.signal.aborted) break;
    }
    return ExitCode.Done;
  },
};

interface LogOptions {
  readonly after?: number;
  readonly limit?: number;
  readonly source?: string;
  readonly json?: boolean;
}

/** Where a config is, its hub comes before a site that is published here; elsewhere behind it. */
function placesOf(place: string | undefined, world: World): readonly string[] {
  if (place !== undefined) return [place];
  const data = dataFolderOf({}, world);
  return world.config === undefined ? [HERE, data] : [data, HERE];
}

/** The log at the first place that has one. */
async function* readPlaces([place = HERE, ...others]: readonly string[], range: Parameters<typeof readLog>[1]) {
  try {
    yield* readLog(place, range);
    return;
  } catch (error) {
    if (!(error instanceof LogMissingError) || others.length === 0) throw error;
  }
  yield* readPlaces(others, range);
}

function lineOf(change: Change): string {
  const note = change.note === undefined ? '' : `  (${change.note})`;
  return `${String(change.seq).padStart(6)}  ${change.time}  ${change.action.padEnd(6)}  ${boundaryOf(change)}${note}`;
}
