import { existsSync } from 'node:fs';
import { Option } from 'commander';
import type { SourceConfig } from '../../doors/settings.ts';
import { isAddress } from '../../doors/source-guess.ts';
import type { SourcePlace, VisitOutcome } from '../../doors/source-place.ts';
import { sourceUnknownError } from '../../errors/refusals.ts';
import { ExitCode } from '../exit-code.ts';
import { addPlaceOptions, openPlace, type SourceWork, startWork } from '../source-options.ts';
import type { Verb } from '../verb.ts';
import { describe } from './source-add.ts';

/** For a source without a name. */
const TRIAL_ID = 'trial';

export const sourceTest: Verb = {
  example: [
    'tidings source test https://docs.example/',
    'tidings source test docs',
    'tidings source test docs --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command) {
    command
      .argument('<id|url|dir>', 'the id of a source, or a URL or folder to try')
      .addOption(
        new Option('--kind <kind>', 'kind of source (default: detected)').choices(['site', 'page', 'feed', 'folder']),
      )
      .option('--dialect <name>', 'format of a feed (default: aicf)')
      .option('--site <url>', 'for a folder: public URL of the site')
      .option('--json', 'print what was found as JSON');
    addPlaceOptions(command);
  },

  async run([target = ''], options, world) {
    const work = startWork(options, world);
    await using place = await openPlace(work, 'read');
    const source = await sourceOf(target, work, place);
    world.status(`${target}: reading`);
    const outcome = await place.test(source);
    world.status('');
    if (options.json) await world.print(JSON.stringify(outcome));
    else await say(target, outcome, world.print);
    if (outcome.is === 'failed') world.complain(`tidings: ${target} cannot be watched: ${outcome.error.message}`);
    if (outcome.is === 'abandoned') world.complain(`tidings: ${target} was not read to the end.`);
    return outcome.is === 'read' ? ExitCode.Done : ExitCode.Incomplete;
  },
};

/** An id counts more than a folder of the same name. */
async function sourceOf(target: string, work: SourceWork, place: SourcePlace): Promise<SourceConfig> {
  if (!isAddress(target)) {
    const watched = (await place.list()).find(({ id }) => id === target);
    if (watched !== undefined) return watched.config;
    if (!existsSync(target)) throw sourceUnknownError(target);
  }
  return work.decode({ id: TRIAL_ID, ...describe(target, work.options) });
}

async function say(target: string, outcome: VisitOutcome, print: (line: string) => Promise<void>): Promise<void> {
  if (outcome.is !== 'read') return;
  await print(`${target}: it can be watched.`);
  for (const note of outcome.notes) await print(`  ${note}`);
}
