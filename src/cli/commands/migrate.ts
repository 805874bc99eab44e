import { resolve } from 'node:path';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { ExitCode } from '../exit-code.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

const DATABASE = /^postgres(?:ql)?:/;

export const migrate: Verb = {
  example: [
    'tidings migrate ./data --to postgres://tidings@db.example/tidings',
    'tidings migrate --from postgres://tidings@db.example/tidings --to ./data',
  ].join('\n'),

  configure(command) {
    command
      .argument('[data folder]', 'data folder of the hub to move into a database (the hub must be stopped)')
      .option('--to <place>', 'an empty database (postgres://user@host/database?schema=tidings), or an empty folder')
      .option('--from <database>', 'the database to move the hub back from (all its processes must be stopped)')
      .option(
        '--stay',
        'make the folder a hub of its own again, after an interrupted move whose database is lost for good',
      )
      .option('--json', 'print what was moved as JSON');
  },

  async run([data], options, world) {
    if (options.stay === true) return await stay(data, options, world);
    const move = moveOf(data, options);
    // Loaded when it is needed: it brings in the driver of the database.
    const { migrateFromDatabase, migrateToDatabase } = await import('../../doors/migrate-hub.ts');
    const { folder, url } = move;
    const onStep = (words: string) => world.status(words);
    const moved = await (move.is === 'there' ? migrateToDatabase : migrateFromDatabase)({ folder, url, onStep });
    world.status('');
    if (options.json) {
      await world.print(JSON.stringify({ data: folder, ...moved }));
      return ExitCode.Done;
    }
    const what = `${moved.sources} sources and ${moved.changes} changes`;
    if (move.is === 'there') {
      await world.print(`Moved ${folder} to ${moved.database}: ${what}. The folder is a replica of it now.`);
      await world.print(`Start with: tidings serve --database <address> --data ${folder}`);
      await world.print(`To go back: tidings migrate --from <address> --to ${folder}`);
    } else {
      await world.print(`Brought ${moved.database} to ${folder}: ${what}. It is a hub of its own now.`);
      await world.print('The database is as it was. Start no process on it again: it would be a second hub.');
      await world.print(`Start with: tidings serve --data ${folder}`);
    }
    return ExitCode.Done;
  },
};

async function stay(data: string | undefined, { from, to, json }: Options, world: World): Promise<ExitCode> {
  if (data === undefined || from !== undefined || to !== undefined)
    throw refused('Name the data folder that stays, and nothing else.');
  const { stayInFolder } = await import('../../doors/migrate-hub.ts');
  const folder = resolve(data);
  const wasMoving = await stayInFolder(folder);
  const words = wasMoving ? 'stays a hub of its own' : 'was not on its way anywhere, and is as it was';
  await world.print(json ? JSON.stringify({ data: folder, wasMoving }) : `${folder} ${words}.`);
  return ExitCode.Done;
}

interface Move {
  readonly is: 'there' | 'back';
  readonly folder: string;
  readonly url: string;
}

/** No message repeats an address: it may hold a password. */
function moveOf(data: string | undefined, { from, to }: Readonly<Record<string, unknown>>): Move {
  if (to === undefined) throw refused('Say --to where.');
  const place = String(to);
  if (from === undefined) {
    if (data === undefined) throw refused('Name the data folder that moves, or --from a database.');
    if (!DATABASE.test(place)) throw refused('A folder moves --to postgres://user@host/database.');
    return { is: 'there', folder: resolve(data), url: place };
  }
  if (data !== undefined) throw refused('Name a data folder or --from a database, not both.');
  if (DATABASE.test(place))
    throw refused('A hub comes back --to a folder. To copy a database, use what PostgreSQL has for that.');
  return { is: 'back', folder: resolve(place), url: String(from) };
}

function refused(remedy: string): SettingRefusedError {
  return new SettingRefusedError('migrate', 'what was given', remedy);
}
