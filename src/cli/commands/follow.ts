import { Option } from 'commander';
import { FEED_DIALECTS } from '../../doors/feed-dialects.ts';
import { type FollowOptions, follow as followFeeds } from '../../doors/follow.ts';
import { SITE_DIALECTS } from '../../doors/followed-site.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { addCrawlOptions, crawlOptionsOf } from '../crawl-options.ts';
import { execTaker } from '../exec-option.ts';
import { ExitCode } from '../exit-code.ts';
import { quorumFlags, quorumOption, wholeNumber, witnessKeyOption } from '../option-values.ts';
import { addEventRuleOptions, ruleOptionsOf } from '../rule-options.ts';
import { diffDeltaKeyOf } from '../secret.ts';
import type { Verb } from '../verb.ts';

const KEY_HELP = `
The API key for a DiffDelta service comes from TIDINGS_DIFFDELTA_KEY, or from the file named in TIDINGS_DIFFDELTA_KEY_FILE.
It is sent only to the origin of the URL.`;

export const followVerb: Verb = {
  example: `tidings follow https://docs.example/ --once --state docs.db
tidings follow https://docs.example/ https://blog.example/ --state docs.db --content --exec ./index.sh
tidings follow https://docs.example/ --since 7d --only '#install*' --once
tidings follow https://hub.example/ --state hub.db --audit
tidings follow https://feeds.example/ --dialect diffdelta --source news,releases --once`,

  configure(command) {
    command
      .argument('<url...>', 'the sites to follow')
      .option('--once', 'read what is new and stop')
      .addOption(new Option('--state <file>', 'remember here what was seen').env('TIDINGS_STATE'))
      .option(
        '--since <7d|time|id>',
        'if nothing is remembered, start this long ago (30m, 12h, 7d, 2w), at this time or date, or after this event or cursor',
      )
      .option(
        '--exec <command>',
        'run this command for each event, with JSON on stdin (exit 0 marks the event as handled)',
      )
      .option('--audit', 'check each site against its provable log before each poll, and stop if it is proven wrong')
      .addOption(witnessKeyOption())
      .addOption(quorumOption())
      .option('--content', 'fetch the Markdown of each changed page or section');
    command
      .addOption(
        new Option('--dialect <name>', 'look only for this format').choices([...FEED_DIALECTS, ...SITE_DIALECTS]),
      )
      .option('--source <ids>', 'read only these sources of a DiffDelta service (comma-separated)')
      .option(
        '--max-pages <count>',
        'read at most this many pages of a site without a feed (default: 10000)',
        wholeNumber(1),
      )
      .option('--allow-deletes', 'continue after a safety stop, if much of a site is really gone or replaced');
    addCrawlOptions(addEventRuleOptions(command)).option('--json', 'print one JSON object per line (the only format)');
    command.addHelpText('after', KEY_HELP);
  },

  async run(urls, options, world) {
    const { once, state, since, content, dialect } = options as Pick<
      FollowOptions,
      'once' | 'state' | 'since' | 'content' | 'dialect'
    >;
    const { source, exec } = options as { readonly source?: string; readonly exec?: string };
    const { maxPages, allowDeletes, audit } = options as Pick<FollowOptions, 'maxPages' | 'allowDeletes' | 'audit'>;
    const apiKey = diffDeltaKeyOf(world);
    const events = followFeeds({
      ...crawlOptionsOf(options, world),
      ...(once !== undefined && { once }),
      ...(state !== undefined && { state }),
      ...(since !== undefined && { since }),
      ...(content !== undefined && { content }),
      ...(dialect !== undefined && { dialect }),
      ...(maxPages !== undefined && { maxPages }),
      ...(allowDeletes !== undefined && { allowDeletes }),
      ...(audit !== undefined && { audit }),
      ...quorumFlags(options),
      ...ruleOptionsOf(options, world),
      ...(source !== undefined && { sources: namesIn(source) }),
      ...(apiKey !== undefined && { apiKey }),
      ...(exec !== undefined && { take: execTaker(exec, world) }),
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
