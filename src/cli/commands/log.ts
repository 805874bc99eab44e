import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import { readLog } from '../../doors/read-log.ts';
import { LogMissingError } from '../../errors/log-missing-error.ts';
import type { Change } from '../../model/change.ts';
import { dataFolderOf } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { oneLine } from '../one-line.ts';
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
      .argument(
        '[place]',
        'a published site, a --state folder or file, or a data folder (default: that of the config, or here)',
      )
      .option('--config <file>', 'the settings of the hub whose log it is (default: tidings.config.json here)')
      .option('--source <id>', 'only changes of this source')
      .option('--after <seq>', 'only changes after this one', wholeNumber(0))
      .option('--limit <count>', 'at most so many', wholeNumber(1))
      .option('--json', 'print each change as one line of JSON');
  },

  async run([place], options, world) {
    const { after, limit, source, json } = options as LogOptions;
    let left = limit ?? Number.POSITIVE_INFINITY;
    // The limit counts what is printed: only where that is everything, no more need be read.
    const range = { after, limit: source === undefined ? limit : undefined };
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
  const data = dataFolderOf({ data: world.env.TIDINGS_DATA || undefined }, world);
  return world.config === undefined ? [HERE, data] : [data, HERE];
}

type ReadRange = Parameters<typeof readLog>[1];

/** The log at the first place that has one. */
async function* readPlaces(places: readonly string[], range: ReadRange): AsyncGenerator<Change> {
  let missing: LogMissingError | undefined;
  for (const place of places) {
    try {
      return yield* readLog(place, range);
    } catch (error) {
      if (!(error instanceof LogMissingError)) throw error;
      missing ??= error;
    }
  }
  if (missing !== undefined) throw missing;
}

function lineOf(change: Change): string {
  const note = change.note === undefined ? '' : `  (${oneLine(change.note)})`;
  return `${String(change.seq).padStart(6)}  ${change.time}  ${change.action.padEnd(6)}  ${oneLine(boundaryOf(change))}${note}`;
}
