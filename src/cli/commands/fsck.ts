import { join } from 'node:path';
import { Option } from 'commander';
import { fsckFolder } from '../../doors/fsck-folder.ts';
import { fsckHub } from '../../doors/fsck-hub.ts';
import { kindOfFile } from '../../io/files/kind.ts';
import { DATABASE_FILE } from '../../io/sqlite/log.ts';
import { ExitCode } from '../exit-code.ts';
import type { Verb } from '../verb.ts';

export const fsck: Verb = {
  example: ['tidings fsck ./site', 'tidings fsck ./tidings-data --json'].join('\n'),

  configure(command) {
    command
      .argument('[place]', 'a published site, or the data folder of a hub, which may run (default: here)')
      .addOption(new Option('--state <dir>', 'where log.ndjson is kept, if not on the site').env('TIDINGS_STATE'))
      .option('--json', 'print the report as JSON');
  },

  async run([place = '.'], { state, json }, world) {
    const isHub = (await kindOfFile(join(place, DATABASE_FILE))) === 'sqlite';
    const report = isHub ? await fsckHub(place) : await fsckFolder(place, typeof state === 'string' ? { state } : {});
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
