import { type DiscoverReport, discover } from '../../doors/discover.ts';
import { addCrawlOptions, crawlOptionsOf } from '../crawl-options.ts';
import { ExitCode } from '../exit-code.ts';
import { terminalText } from '../terminal-text.ts';
import type { Verb } from '../verb.ts';

export const discoverVerb: Verb = {
  example: 'tidings discover https://docs.example/\ntidings discover https://docs.example/ --json',

  configure(command) {
    command.argument('<url>', 'a site, or a page of it').option('--json', 'print what was found as JSON');
    addCrawlOptions(command);
  },

  async run([url = ''], options, world) {
    const report = await discover(url, {
      ...crawlOptionsOf(options, world),
      signal: world.signal,
      onStatus: (line) => world.status(line),
    });
    world.status('');
    await world.print(options.json === true ? JSON.stringify(report) : asText(report));
    return report.choice === undefined ? ExitCode.Incomplete : ExitCode.Done;
  },
};

function asText({ url, offers, choice, terms, uses }: DiscoverReport): string {
  const rows = offers.map(({ dialect, state, reason }) => `  ${state.padEnd(6)}  ${dialect.padEnd(12)}  ${reason}`);
  const said = terms.map(({ vocabulary, where, said: words, note }) => {
    const more = note === undefined ? '' : ` ${note}`;
    return `  ${vocabulary}: ${words} (${where})${more}`;
  });
  const wishes = Object.entries(uses).map(([use, answer]) => `${use} ${answer}`);
  return terminalText(
    [
      `${url} offers`,
      ...rows,
      choice === undefined
        ? 'Nothing of it can be followed now.'
        : `Tidings would follow ${choice.dialect}: ${choice.reason}.`,
      ...(terms.length === 0
        ? ['Nothing is said of the use of its pages.']
        : ['Of the use of its pages it says', ...said]),
      ...(wishes.length === 0 ? [] : [`So: ${wishes.join(', ')}.`]),
    ].join('\n'),
  );
}
