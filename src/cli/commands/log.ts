import { join } from 'node:path';
import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import { oneLine } from '../../codecs/primitives/one-line.ts';
import { readLog } from '../../doors/read-log.ts';
import { LogMissingError } from '../../errors/log-error.ts';
import { kindOfFile } from '../../io/files/kind.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';
import { DATABASE_FILE } from '../../io/sqlite/log.ts';
import type { Change } from '../../model/change.ts';
import { copyWhereShared, dataFolderOf } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { databaseOption, readHubConfig } from '../hub-config-options.ts';
import { wholeNumber } from '../option-values.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

const HERE = '.';
const SHOWN_IDS = 10;

export const log: Verb = {
  example: [
    'tidings log ./site --limit 20',
    'tidings log ./data --source docs --after 1200',
    'tidings log --limit 20 --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command) {
    command
      .argument(
        '[place]',
        'a published site, a --state folder or file, or a data folder (default: that of the settings, or the current folder)',
      )
      .option('--config <file>', 'settings of the hub whose log to read (default: ./tidings.config.json)')
      .addOption(databaseOption())
      .option('--source <id>', 'only changes of this source')
      .option('--after <seq>', 'only changes after this one', wholeNumber(0))
      .option('--limit <count>', 'at most this many changes', wholeNumber(1))
      .option('--json', 'print one JSON object per change');
  },

  async run([place], options, world) {
    const { after, limit, source, json } = options as LogOptions;
    await using shared = await copyWhereShared(place, options, world);
    let left = limit ?? Number.POSITIVE_INFINITY;
    let printed = 0;
    let readWhole: string | undefined;
    let isFirst = true;
    const noteEnd = (found: string) => {
      readWhole = found;
    };
    // The limit counts printed changes: only without a filter can the read itself be limited.
    const range = { after, limit: source === undefined ? limit : undefined };
    for await (const change of readPlaces(
      shared === undefined ? placesOf(place, world) : [shared.folder],
      range,
      noteEnd,
    )) {
      if (isFirst && change.seq > (after ?? 0) + 1) world.complain(`tidings: ${cutText(change.seq)}`);
      isFirst = false;
      if (source !== undefined && change.source !== source) continue;
      await world.print(json ? JSON.stringify(change) : lineOf(change));
      printed += 1;
      left -= 1;
      if (left === 0 || world.signal.aborted) break;
    }
    if (source === undefined || printed > 0 || readWhole === undefined) return ExitCode.Done;
    const configured = place === undefined && world.config !== undefined;
    const fromConfig = configured ? readHubConfig({ allowPrivate: true }, world).sources.map(({ id }) => id) : [];
    const complaint = await unknownSource(source, { folder: readWhole, shown: shared?.shown ?? readWhole }, fromConfig);
    if (complaint === undefined) return ExitCode.Done;
    world.complain(`tidings: ${complaint}`);
    return ExitCode.Incomplete;
  },
};

interface LogOptions {
  readonly after?: number;
  readonly limit?: number;
  readonly source?: string;
  readonly json?: boolean;
}

/** If there is a config, its hub comes before a site that is published here; otherwise after it. */
function placesOf(place: string | undefined, world: World): readonly string[] {
  if (place !== undefined) return [place];
  const data = dataFolderOf({ data: world.env.TIDINGS_DATA || undefined }, world);
  return world.config === undefined ? [HERE, data] : [data, HERE];
}

type ReadRange = Parameters<typeof readLog>[1];

/** The log at the first place that has one; `noteEnd` receives that place once it is read to its end. */
async function* readPlaces(
  places: readonly string[],
  range: ReadRange,
  noteEnd: (place: string) => void,
): AsyncGenerator<Change> {
  let missing: LogMissingError | undefined;
  for (const place of places) {
    try {
      yield* readLog(place, range);
      noteEnd(place);
      return;
    } catch (error) {
      if (!(error instanceof LogMissingError)) throw error;
      missing ??= error;
    }
  }
  if (missing !== undefined) throw missing;
}

/** What to say of a source that a hub neither watches nor has a change of: its name is a slip of the pen. */
async function unknownSource(
  source: string,
  { folder, shown: place }: { readonly folder: string; readonly shown: string },
  fromConfig: readonly string[],
): Promise<string | undefined> {
  if ((await kindOfFile(join(folder, DATABASE_FILE))) !== 'sqlite') return undefined;
  await using store = await openSqliteHubStore({ folder, readonly: true });
  const watched = (await store.sources()).map(({ config }) => config.id);
  const ids = [...new Set([...watched, ...fromConfig])].sort();
  if (ids.includes(source)) return undefined;
  for await (const _change of store.changes({ source, limit: 1 })) return undefined;
  const shown = ids.slice(0, SHOWN_IDS).join(', ');
  const more = ids.length > SHOWN_IDS ? ` and ${ids.length - SHOWN_IDS} more` : '';
  const known = ids.length === 0 ? 'It watches none.' : `It watches ${shown}${more}.`;
  return `the hub of ${place} has no source ${JSON.stringify(source)}, and no change of one. ${known}`;
}

/** A log has no holes: what is missing at its beginning was cut off. */
function cutText(firstSeq: number): string {
  return `the log begins with change ${firstSeq}; those before it are in the archives of the hub (/api/v1/archives).`;
}

function lineOf(change: Change): string {
  const note = change.note === undefined ? '' : `  (${oneLine(change.note)})`;
  const { verified, signer } = change.provenance;
  const signature =
    verified === undefined ? '' : `  [${verified === true ? `signed by ${oneLine(String(signer))}` : 'not signed'}]`;
  return `${String(change.seq).padStart(6)}  ${change.time}  ${change.action.padEnd(6)}  ${oneLine(boundaryOf(change))}${note}${signature}`;
}
