import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { backUpDatabase } from '../../io/sqlite/backup.ts';
import { DATABASE_FILE, openSqliteLogFile } from '../../io/sqlite/log.ts';
import { byteText } from '../byte-text.ts';
import { addDataOptions, databaseOf, dataFolderOf } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { databaseOption } from '../hub-config-options.ts';
import { copyOf } from '../shared-hub.ts';
import type { Verb } from '../verb.ts';

export const backup: Verb = {
  example: [
    'tidings backup /backups/tidings-monday.db --data ./data',
    'tidings backup /backups/tidings-monday.db --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command) {
    command.argument('<file>', 'a new file (an existing file is not replaced)');
    addDataOptions(command).addOption(databaseOption()).option('--json', 'print what was written as JSON');
  },

  async run([file = ''], options, world) {
    const target = resolve(file);
    const url = databaseOf(options, world);
    if (url !== undefined) world.status('reading the hub from the database');
    await using shared = url === undefined ? undefined : await copyOf(url);
    const folder = shared?.folder ?? dataFolderOf(options, world);
    const database = await stat(join(folder, DATABASE_FILE)).catch(() => undefined);
    // SQLite copies in one step, in which nothing else is done here.
    if (database !== undefined) world.status(`copying the database: ${byteText(database.size)}`);
    await backUpDatabase(folder, target);
    world.status('reading the copy back');
    const { size: bytes } = await stat(target);
    // A copy that cannot be read back is none.
    await using log = await openSqliteLogFile(target);
    const last = await log.last();
    world.status('');
    const written = { file: target, bytes, changes: last?.seq ?? 0, ...(last && { lastChange: last.id }) };
    if (options.json) await world.print(JSON.stringify(written));
    else {
      const upTo = last === undefined ? 'no changes yet' : `${last.seq} changes, up to ${last.id} of ${last.time}`;
      await world.print(`Wrote ${target}: ${byteText(bytes)}, ${upTo}.`);
      await world.print(`To restore: stop the hub, then tidings restore ${file} --data <folder>.`);
    }
    return ExitCode.Done;
  },
};
