import { explainChanges } from '../../doors/why.ts';
import { addDataOptions, copyWhereShared, dataFolderOf } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { databaseOption } from '../hub-config-options.ts';
import type { Verb } from '../verb.ts';
import { whyText } from '../why-text.ts';

export const why: Verb = {
  example: [
    'tidings why https://docs.example/limits#tiers',
    'tidings why 01JCT8K0V5S9W1T3YB6N4QZ2RX --data ./data',
    'tidings why 01JCT8K0V5S9W1T3YB6N4QZ2RX --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command) {
    command.argument('<id|url#anchor>', 'the id of a change, or a page or section for its newest change');
    addDataOptions(command)
      .addOption(databaseOption())
      .option('--json', 'print the explanation as JSON, with all lines');
  },

  async run([target = ''], options, world) {
    await using shared = await copyWhereShared(undefined, options, world);
    const explanations = await explainChanges(target, shared?.folder ?? dataFolderOf(options, world));
    if (options.json) {
      await world.print(JSON.stringify({ changes: explanations }));
      return ExitCode.Done;
    }
    for (const [index, explanation] of explanations.entries()) {
      if (index > 0) await world.print('');
      for (const line of whyText(explanation)) await world.print(line);
    }
    return ExitCode.Done;
  },
};
