import { Option } from 'commander';
import { type AnnouncedTarget, announce } from '../../doors/announce.ts';
import { ExitCode } from '../exit-code.ts';
import { allowPrivateOption, botUrlOption, caOption, collect, isPrivateAllowed } from '../option-values.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const announceVerb: Verb = {
  example: [
    'tidings announce ./site --websub https://hub.example/ --dry-run',
    'tidings announce ./site --indexnow https://api.indexnow.org/indexnow --key 7c9e2b41f0a34d5e',
    'tidings announce ./site --hub https://tidings.example/ --state ./state',
  ].join('\n'),

  configure(command) {
    command
      .argument('<dir>', 'the folder of the published site, after it is deployed')
      .option('--websub <url>', 'tell this WebSub hub which feeds changed (repeatable)', collect)
      .option('--indexnow <endpoint>', 'tell search engines which pages changed, through this IndexNow endpoint')
      .addOption(
        new Option('--key <key>', 'the IndexNow key, also served by the site at /<key>.txt').env(
          'TIDINGS_INDEXNOW_KEY',
        ),
      )
      .option('--hub <url>', 'tell this Tidings hub, which watches the site, to check now (repeatable)', collect)
      .addOption(
        new Option('--state <dir>', 'the state folder of publish, which also records what was announced').env(
          'TIDINGS_STATE',
        ),
      )
      .option('--last', 'announce only the last publish to new targets, for CI without a cache')
      .option('--dry-run', 'show what would be sent to whom, but send nothing')
      .addOption(allowPrivateOption('also allow targets at private addresses'))
      .addOption(caOption())
      .addOption(botUrlOption())
      .option('--json', 'print the result for each target as JSON');
  },

  async run([dir = ''], options, world) {
    const { key, indexnow } = options;
    const report = await announce({
      ...textsOf(options),
      dir,
      websub: listOf(options.websub),
      hubs: listOf(options.hub),
      // A key in the environment is for runs that notify IndexNow.
      ...(typeof key === 'string' && indexnow !== undefined && { key }),
      allowPrivate: isPrivateAllowed(options.allowPrivate, world),
      lastOnly: options.last === true,
      dryRun: options.dryRun === true,
      signal: world.signal,
      onProgress: (sent, all) => world.status(`announcing: ${sent} of ${all} requests`),
    });
    world.status('');
    if (options.json) await world.print(JSON.stringify(report));
    else for (const target of report.targets) await sayTarget(target, world);
    const failed = report.targets.filter(({ outcome }) => outcome === 'failed');
    for (const { kind, url, reason } of failed) world.complain(`tidings: ${kind} ${url} was not told: ${reason}`);
    return failed.length > 0 ? ExitCode.Incomplete : ExitCode.Done;
  },
};

const SHOWN = 20;

async function sayTarget({ kind, url, outcome, urls, note }: AnnouncedTarget, world: World): Promise<void> {
  if (outcome === 'failed') return;
  if (outcome === 'nothing') return await world.print(`${kind} ${url}: nothing new.`);
  const what = kind === 'websub' ? 'feed' : 'page';
  const count = `${urls.length} ${what}${urls.length === 1 ? '' : 's'}`;
  await world.print(`${kind} ${url}: ${outcome === 'planned' ? 'would be told of' : 'was told of'} ${count}.`);
  if (note !== undefined) world.complain(`tidings: ${kind} ${url}: ${note}`);
  if (outcome !== 'planned') return;
  for (const one of urls.slice(0, SHOWN)) await world.print(`  ${one}`);
  if (urls.length > SHOWN) await world.print(`  … and ${urls.length - SHOWN} more (--json names them all).`);
}

function textsOf(options: Options) {
  const { indexnow, state, ca, botUrl } = options;
  return {
    ...(typeof indexnow === 'string' && { indexnow }),
    ...(typeof state === 'string' && { state }),
    ...(typeof ca === 'string' && { ca }),
    ...(typeof botUrl === 'string' && { botUrl }),
  };
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
