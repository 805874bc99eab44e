import { Option } from 'commander';
import { FEED_DIALECTS } from '../../doors/feed-dialects.ts';
import { type FollowOptions, follow as followFeeds } from '../../doors/follow.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { addCrawlOptions, crawlOptionsOf } from '../crawl-options.ts';
import { ExitCode } from '../exit-code.ts';
import { addRuleOptions, ruleOptionsOf } from '../rule-options.ts';
import { diffDeltaKeyOf } from '../secret.ts';
import type { Verb } from '../verb.ts';

const KEY_HELP = `
An API key for a DiffDelta service is taken from TIDINGS_DIFFDELTA_KEY, or from the file that TIDINGS_DIFFDELTA_KEY_FILE
names. It is sent to the origin of the URL and to no other.`;

export const followVerb: Verb = {
  example:
    'tidings follow https://docs.example/ --once --state docs.db\ntidings follow https://docs.example/ --state docs.db --content\ntidings follow https://feeds.example/ --dialect diffdelta --source news,releases --once',

  configure(command) {
    command
      .argument('<url...>', 'the sites to follow')
      .option('--once', 'read what is new and stop')
      .addOption(new Option('--state <file>', 'remember what was seen here').env('TIDINGS_STATE'))
      .option(
        '--since <id|cursor|time>',
        'start after this event or cursor, or at this time or date, where nothing is remembered',
      )
      .option('--content', 'fetch what changed: the Markdown of that page or section only');
    command
      .addOption(new Option('--dialect <name>', 'look for this format alone').choices(FEED_DIALECTS))
      .option('--source <ids>', 'of a DiffDelta service, read these sources alone (comma-separated)');
    addCrawlOptions(addRuleOptions(command)).option('--json', 'one JSON object a line; that is the only form');
    command.addHelpText('after', KEY_HELP);
  },

  async run(urls, options, world) {
    const { once, state, since, content, dialect } = options as Pick<
      FollowOptions,
      'once' | 'state' | 'since' | 'content' | 'dialect'
    >;
    const { source } = options as { readonly source?: string };
    const apiKey = diffDeltaKeyOf(world);
    const events = followFeeds({
      ...crawlOptionsOf(options, world),
      ...(once !== undefined && { once }),
      ...(state !== undefined && { state }),
      ...(since !== undefined && { since }),
      ...(content !== undefined && { content }),
      ...(dialect !== undefined && { dialect }),
      ...ruleOptionsOf(options, world),
      ...(source !== undefined && { sources: namesIn(source) }),
      ...(apiKey !== undefined && { apiKey }),
      urls,
      signal: world.signal,
      onStatus: (line) => world.status(line),
      onDiagnostic: ({ message }) => world.complain(`tidings: ${message}`),
    });
    for await (const event of events) await world.print(JSON.stringify(event));
    world.status('');
    if (!once || !world.signal.aborted) return ExitCode.Done;
    const next = state === undefined ? 'begins anew, as there is no --state' : 'goes on behind what was printed';
    world.complain(`tidings: stopped on request before all was read. The next run ${next}.`);
    return ExitCode.Incomplete;
  },
};

function namesIn(list: string): string[] {
  const names = list.split(',').map((name) => name.trim());
  if (names.includes('')) throw new SettingRefusedError('--source', list, 'Give ids of sources, with commas between.');
  return names;
}
