import { Option } from 'commander';
import { ExitCode } from '../exit-code.ts';
import { EXPORT_FORMATS, type ExportFormat, encodeSources } from '../source-export.ts';
import { addPlaceOptions, openPlace, startWork } from '../source-options.ts';
import { sourceTable } from '../source-text.ts';
import type { Verb } from '../verb.ts';

export const sourceList: Verb = {
  example: [
    'tidings source list',
    'tidings source list --json --hub http://127.0.0.1:8080/',
    'tidings source list --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command) {
    command.option('--json', 'print the sources as JSON, with full health data');
    addPlaceOptions(command);
  },

  async run(_, options, world) {
    await using place = await openPlace(startWork(options, world), 'read');
    const sources = await place.list();
    if (options.json) await world.print(JSON.stringify({ sources }));
    else if (sources.length === 0) await world.print('No source is watched. Add one with: tidings source add <url>');
    else for (const line of sourceTable(sources)) await world.print(line);
    return ExitCode.Done;
  },
};

export const sourceExport: Verb = {
  example: [
    'tidings source export > sources.json',
    'tidings source export --format opml > sources.opml',
    'tidings source export --database postgres://tidings@db.example/hub > sources.json',
  ].join('\n'),

  configure(command) {
    command
      .addOption(
        new Option('--format <format>', 'output format (json has everything, the others only sources with a URL)')
          .choices(EXPORT_FORMATS)
          .default('json'),
      )
      .option('--json', 'the same as --format json');
    addPlaceOptions(command);
  },

  async run(_, options, world) {
    await using place = await openPlace(startWork(options, world), 'read');
    const sources = (await place.list()).map(({ config }) => config);
    const format = options.json ? 'json' : (options.format as ExportFormat);
    await world.print(encodeSources(sources, format).trimEnd());
    const folders = sources.filter(({ kind }) => kind === 'folder').length;
    if (format !== 'json' && folders > 0) {
      world.complain(`tidings: ${folders} of kind folder left out: they have no URL. --format json has them.`);
    }
    return ExitCode.Done;
  },
};
