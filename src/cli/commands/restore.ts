import { resolve } from 'node:path';
import { addDataOptions, dataFolderOf } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { Verb } from '../verb.ts';

export const restore: Verb = {
  example: [
    'tidings restore /backups/tidings-monday.db --data ./data',
    'tidings restore /backups/tidings-monday.db --data ./data --replace',
  ].join('\n'),

  configure(command) {
    command.argument('<file>', 'a file written by tidings backup');
    addDataOptions(command)
      .option('--replace', 'move an existing database into a folder next to it')
      .option('--json', 'print what was restored as JSON');
  },

  async run([file = ''], options, world) {
    // Loaded when it is needed: it knows every dialect.
    const { restoreHub } = await import('../../doors/restore-hub.ts');
    const folder = dataFolderOf(options, world);
    const backup = resolve(file);
    const onStep = (words: string) => world.status(words);
    const restored = await restoreHub(backup, { folder, replace: options.replace === true, now: Date.now, onStep });
    world.status('');
    if (options.json) {
      await world.print(JSON.stringify({ file: backup, data: folder, ...restored }));
      return ExitCode.Done;
    }
    const { changes, lastChange, recovered, aside } = restored;
    const upTo = lastChange === undefined ? 'no changes yet' : `${changes} changes, up to ${lastChange}`;
    await world.print(`Restored ${folder} from ${backup}: ${upTo}.`);
    await world.print(readersText(recovered));
    if (aside !== undefined) await world.print(`The database that was there is in ${aside}.`);
    await world.print(`Start with: tidings serve --data ${folder}`);
    return ExitCode.Done;
  },
};

function readersText(recovered: number): string {
  if (recovered === 0) {
    return 'No feed in the folder goes beyond the backup. Readers who had read further elsewhere are told so (410), or find their last line missing.';
  }
  return (
    `${recovered} of them were published behind the backup and are taken from the feeds: AICF feeds and cursors of readers go on. ` +
    'What the next checks find again is told again, under new ids; DiffDelta and Atom go on from the backup.'
  );
}
