import { type Command, Option } from 'commander';
import { DIALECTS } from '../dialects/registry.ts';
import type { PublishOptions } from '../doors/publish.ts';
import { addExtensionOptions, extensionsOf, riskRulesOf } from './feed-options.ts';
import { addListOptions, listOptionsOf } from './list-options.ts';
import { wholeNumber } from './option-values.ts';
import { addRuleOptions, ruleOptionsOf } from './rule-options.ts';
import type { Options } from './verb.ts';
import type { World } from './world.ts';

const PUBLISHED = DIALECTS.filter(({ projection }) => projection !== undefined);
const FORMATS = PUBLISHED.map(({ name }) => name).join(', ');
const ON_REQUEST = PUBLISHED.filter(({ isOnRequest }) => isOnRequest).map(({ name }) => name);
const DEFAULT = ON_REQUEST.length === 0 ? 'all' : `all but ${ON_REQUEST.join(', ')}`;

/** Where the state is, and what the feeds say: the same for a publish and for a preview of one. */
export function addPublishOptions(command: Command): Command {
  command
    .addOption(
      new Option('--state <dir>', 'keep log.ndjson and pages.ndjson here instead of on the site').env('TIDINGS_STATE'),
    )
    .addOption(
      new Option('--previous <url|dir>', 'continue from what is published there, for CI without a cache').env(
        'TIDINGS_PREVIOUS',
      ),
    )
    .option('--formats <list>', `write only these: ${FORMATS} (default: ${DEFAULT})`, (list: string) =>
      list.split(',').map((name) => name.trim()),
    )
    .option('--clean-urls', 'the host serves x.html as /x')
    .option('--no-trailing-slash', 'the host serves x/index.html as /x, not as /x/')
    .option('--rotate-bytes <bytes>', 'start a new feed file at this size (default: 512 KiB)', wholeNumber(1))
    .option('--ttl <seconds>', 'how long followers may treat the feed as fresh', wholeNumber(0))
    .option('--license <text>', 'the license of the events')
    .option('--about <url>', 'a page that describes the feed');
  return addExtensionOptions(addRuleOptions(addListOptions(command)));
}

/** From the flags, else from the settings. */
export async function publishOptionsOf({ ttl, ...options }: Options, world: World): Promise<PublishOptions> {
  return {
    ...(options as PublishOptions),
    ...listOptionsOf(options, world),
    ...ruleOptionsOf(options, world),
    extensions: await extensionsOf(options, world),
    riskRules: riskRulesOf(world),
    onRemark: (message) => world.complain(`tidings: ${message}`),
    ttlSeconds: ttl as number | undefined,
    signal: world.signal,
  };
}
