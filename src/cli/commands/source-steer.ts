import { ExitCode } from '../exit-code.ts';
import { addPlaceOptions, openPlace, startWork } from '../source-options.ts';
import type { Verb } from '../verb.ts';

export const sourcePause: Verb = {
  example: 'tidings source pause docs --reason "moving to another host"',

  configure(command) {
    command
      .argument('<id>', 'its id, as list shows it')
      .option('--reason <text>', 'why; it stands in the health report')
      .option('--json', 'print the source as JSON');
    addPlaceOptions(command);
  },

  async run([id = ''], options, world) {
    await using place = await openPlace(startWork(options, world), 'write');
    const source = await place.pause(id, typeof options.reason === 'string' ? options.reason : undefined);
    await world.print(options.json ? JSON.stringify(source) : `${id}: paused (${source.paused}).`);
    return ExitCode.Done;
  },
};

export const sourceResume: Verb = {
  example: 'tidings source resume docs\ntidings source resume docs --allow-deletes',

  configure(command) {
    command
      .argument('<id>', 'its id, as list shows it')
      .option('--allow-deletes', 'the next check may take many pages for gone')
      .option('--json', 'print the source as JSON');
    addPlaceOptions(command);
  },

  async run([id = ''], options, world) {
    await using place = await openPlace(startWork(options, world), 'write');
    const source = await place.resume(id, { allowDeletes: options.allowDeletes === true });
    const when = place.isRunning ? 'now' : 'when the hub starts';
    await world.print(options.json ? JSON.stringify(source) : `${id}: resumed; it is read ${when}.`);
    return ExitCode.Done;
  },
};

export const sourceRetrust: Verb = {
  example: 'tidings source retrust acme_api\ntidings source retrust acme_api --moved',

  configure(command) {
    command
      .argument('<id>', 'its id, as list shows it')
      .option('--moved', 'the feed that it moved to and was followed to, instead of its own')
      .option('--json', 'print the source as JSON');
    addPlaceOptions(command);
  },

  async run([id = ''], options, world) {
    await using place = await openPlace(startWork(options, world), 'write');
    const moved = options.moved === true;
    const source = await place.retrust(id, { moved });
    const { feedUrl, other } = source.retrusted;
    const when = place.isRunning ? 'now' : 'when the hub starts';
    const rest = moved
      ? ` ${other}, from where it moved, is as it was.`
      : ` ${other}, to where it moved, is as it was; --moved trusts that one.`;
    const sentence = `${id}: ${feedUrl} is trusted again; it is read ${when}.${other === undefined ? '' : rest}`;
    await world.print(options.json ? JSON.stringify(source) : sentence);
    return ExitCode.Done;
  },
};

export const sourceRemove: Verb = {
  example: 'tidings source remove docs',

  configure(command) {
    command.argument('<id>', 'its id, as list shows it').option('--json', 'print what was removed as JSON');
    addPlaceOptions(command);
  },

  async run([id = ''], options, world) {
    await using place = await openPlace(startWork(options, world), 'write');
    await place.remove(id);
    await world.print(
      options.json ? JSON.stringify({ removed: id }) : `${id}: no longer watched. Its changes stay in the log.`,
    );
    return ExitCode.Done;
  },
};
