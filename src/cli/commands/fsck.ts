import { join } from 'node:path';
import { Option } from 'commander';
import { fsckFolder } from '../../doors/fsck-folder.ts';
import { fsckHub } from '../../doors/fsck-hub.ts';
import { kindOfFile } from '../../io/files/kind.ts';
import { DATABASE_FILE } from '../../io/sqlite/log.ts';
import { copyWhereShared } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { databaseOption } from '../hub-config-options.ts';
import type { Verb } from '../verb.ts';

export const fsck: Verb = {
  example: [
    'tidings fsck ./site',
    'tidings fsck ./tidings-data --json',
    'tidings fsck --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command) {
    command
      .argument(
        '[place]',
        'a published site, or the data folder of a hub, even a running one (default: the current folder)',
      )
      .addOption(new Option('--state <dir>', 'folder of log.ndjson, if not on the site').env('TIDINGS_STATE'))
      .option('--config <file>', 'settings of the hub (default: ./tidings.config.json, if it exists)')
      .addOption(databaseOption())
      .option('--json', 'print the report as JSON');
  },

  async run([named], options, world) {
    const { state, json } = options;
    await using shared = await copyWhereShared(named, options, world);
    const place = named ?? '.';
    const isHub = (await kindOfFile(join(place, DATABASE_FILE))) === 'sqlite';
    const report =
      shared !== undefined
        ? await fsckHub(shared.folder, { hasFeeds: false })
        : isHub
          ? await fsckHub(place)
          : await fsckFolder(place, typeof state === 'string' ? { state } : {});
    if (shared !== undefined)
      world.complain(
        'tidings: files of feeds lie with the servers: name the data folder of one to have them looked at.',
      );
    if (json === true) await world.print(JSON.stringify(report));
    else {
      for (const { where, what } of report.findings) await world.print(`${where}: ${what}`);
      await world.print(
        report.ok
          ? `All is as the log says: ${report.size} entries, every tile and every file that they tell of.`
          : `${report.findings.length} ${report.findings.length === 1 ? 'thing is' : 'things are'} not as the log says.`,
      );
    }
    return report.ok ? ExitCode.Done : ExitCode.SafetyStop;
  },
};
