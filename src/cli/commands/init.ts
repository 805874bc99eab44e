import { Option } from 'commander';
import {
  CI_NAMES,
  GENERATOR_NAMES,
  HOST_NAMES,
  type SaidOfProject,
  type Setup,
  setUpProject,
} from '../../doors/init.ts';
import { ExitCode } from '../exit-code.ts';
import { factsLine, setupLines } from '../init-text.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const initVerb: Verb = {
  example: ['tidings init --dry-run', 'tidings init --site https://docs.example/', 'tidings init ./docs --key'].join(
    '\n',
  ),
  // A settings file that is refused is remarked, and kept.
  readsConfigItself: true,

  configure(command) {
    command
      .argument('[dir]', 'the project folder, not the built site (default: the current folder)')
      .addOption(
        new Option('--site <url>', 'public base URL of the site, if no file of the project states it').env(
          'TIDINGS_SITE',
        ),
      )
      .option('--dir <dir>', 'the folder in the project that the build writes HTML to')
      .addOption(new Option('--generator <name>', 'what builds the site').choices(GENERATOR_NAMES))
      .addOption(new Option('--host <name>', 'where the site is hosted').choices(HOST_NAMES))
      .addOption(new Option('--ci <name>', 'what runs the build').choices(CI_NAMES))
      .option('--key', 'also create a key that signs a provable log of the site, in a folder that git ignores')
      .option('--dry-run', 'show every file that would be written, but write nothing')
      .option('--json', 'print what was detected and every step as JSON');
  },

  async run([dir = '.'], options, world) {
    const dryRun = options.dryRun === true;
    const setup = await setUpProject(dir, { ...saidOf(options, world), dryRun });
    const blocked = setup.steps.flatMap((step) => (step.is === 'blocked' ? [step] : []));
    if (options.json === true) await world.print(JSON.stringify(reportOf(setup, dryRun)));
    else for (const line of [factsLine(setup.facts), ...setupLines(setup, { dryRun })]) await world.print(line);
    for (const { path, why } of blocked) {
      world.complain(`tidings: ${path} cannot be made: ${why}. Move it away, then run this again.`);
    }
    return blocked.length > 0 ? ExitCode.Incomplete : ExitCode.Done;
  },
};

function saidOf(options: Options, world: World): SaidOfProject {
  const { site, dir, generator, host, ci } = options as Partial<SaidOfProject>;
  return {
    ...(site !== undefined && { site }),
    ...(dir !== undefined && { dir }),
    ...(generator !== undefined && { generator }),
    ...(host !== undefined && { host }),
    ...(ci !== undefined && { ci }),
    ...(world.ask !== undefined && { ask: world.ask }),
    wantsKey: options.key === true,
    version: world.version,
    onRemark: (remark) => world.complain(`tidings: ${remark}`),
  };
}

function reportOf({ facts, steps }: Setup, dryRun: boolean) {
  const { generator, host, ci, site, output } = facts;
  const seen = { generator: generator?.name ?? null, site: site.site.href, directory: output };
  return { ...seen, host: host?.name ?? null, ci, dryRun, steps };
}
