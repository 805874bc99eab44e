import { Option } from 'commander';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { dataFolderOf } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { allowPrivateOption, caOption, isPrivateAllowed } from '../option-values.ts';
import type { Verb } from '../verb.ts';

export const proveVerb: Verb = {
  example: [
    'tidings prove 01JCT8K0V5S9W1T3YB6N4QZ2RX ./site > receipt.json',
    'tidings prove https://docs.example/limits#tiers ./data --at 2026-11-18T12:00:00Z > receipt.json',
  ].join('\n'),

  configure(command) {
    command
      .argument('<id|url#anchor>', 'the id of a change, or a page or section for its newest change')
      .argument(
        '[place]',
        'a published site, a data folder, or the URL of either (default: the data folder of the settings, or the current folder)',
      )
      .option('--config <file>', 'settings of the hub whose log to read (default: ./tidings.config.json)')
      .option('--at <time>', 'what a page or section said at this time, like 2026-11-18T12:00:00Z')
      .option('--tlog-proof', 'write the proof in the C2SP format, without the texts')
      .addOption(new Option('--state <dir>', 'folder of log.ndjson, if not on the site').env('TIDINGS_STATE'))
      .addOption(allowPrivateOption('allow private addresses, for local use'))
      .addOption(caOption())
      .option('--json', 'print the receipt and remarks as one JSON object');
  },

  async run([target = '', given], options, world) {
    const { at, ca, state } = options as Readonly<Record<string, string | undefined>>;
    const place = given ?? (world.config === undefined ? '.' : dataFolderOf(options, world));
    if (at !== undefined && !/^https?:/i.test(target)) {
      throw new SettingRefusedError(
        '--at',
        at,
        'It goes with the address of a page or section: a change has one time.',
      );
    }
    const { prove } = await import('../../doors/prove.ts');
    const { text, tlogProof, receipt, notes } = await prove(target, place, {
      at,
      allowPrivate: isPrivateAllowed(options.allowPrivate, world),
      ...(ca !== undefined && { ca }),
      ...(state !== undefined && { state }),
    });
    if (options.json === true) {
      await world.print(JSON.stringify({ receipt: JSON.parse(text), index: receipt.index, notes }));
      return ExitCode.Done;
    }
    await world.print((options.tlogProof === true ? tlogProof : text).replace(/\n$/, ''));
    for (const note of notes) world.complain(`tidings: ${note}`);
    return ExitCode.Done;
  },
};
