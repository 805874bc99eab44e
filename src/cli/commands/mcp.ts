import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Option } from 'commander';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { wait } from '../../io/node/timer-wait.ts';
import { addCrawlOptions, crawlOptionsOf } from '../crawl-options.ts';
import { dataFolderOf } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { addHubAddressOption } from '../hub-client.ts';
import { hubTokenOf } from '../secret.ts';
import { stateFolder } from '../state-folder.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

const FOLDER_MARK = 12;
/** How long running work may take before the process ends. */
const ENDING_MS = 1000;
const HELP = `
Speaks the Model Context Protocol on stdin and stdout, and ends when stdin does. Messages for people go to stderr.
Without --hub, --data or sites it reads the data folder from the settings. Needs the package @modelcontextprotocol/server.
To set it up in Claude Code, Cursor or VS Code, see docs/guides/mcp.md`;

export const mcpVerb: Verb = {
  example: [
    'tidings mcp https://docs.example/',
    'tidings mcp --hub http://127.0.0.1:8080/',
    'tidings mcp --data ./data --index sqlite:index.db',
  ].join('\n'),

  configure(command) {
    command
      .argument('[url...]', 'sites to watch from this process')
      .addOption(
        new Option('--data <dir>', 'the data folder of a hub, or with sites, the folder for their log').env(
          'TIDINGS_DATA',
        ),
      )
      .option('--config <file>', 'settings of the hub whose data to read (default: ./tidings.config.json)')
      .option('--index <sqlite:file>', 'search an index made with `tidings sync`');
    addCrawlOptions(addHubAddressOption(command));
    command.addHelpText('after', HELP);
  },

  async run(sites, options, world) {
    const { hub } = options;
    const index = indexFileOf(options.index);
    if (hub !== undefined && (sites.length > 0 || index !== undefined)) {
      throw new SettingRefusedError('--hub', hub, 'A hub has its own sites and texts: leave out the others.');
    }
    const token = hub === undefined ? undefined : hubTokenOf(world);
    const { createMcp } = await import('../../doors/mcp.ts');
    const mcp = await createMcp({
      ...crawlOptionsOf(options, world),
      ...(typeof hub === 'string' ? { hub } : { sites, data: dataFolder(sites, options, world) }),
      ...(token !== undefined && { token }),
      ...(index !== undefined && { index }),
      onMessage: (line) => world.complain(`tidings: ${line}`),
    });
    try {
      await Promise.race([mcp.serveStdio(), stopped(world.signal)]);
    } finally {
      // Whoever closed stdin waits for the end, and nothing that is cut off here is lost.
      await Promise.race([mcp[Symbol.asyncDispose](), wait(ENDING_MS, new AbortController().signal)]);
      setTimeout(() => process.exit(ExitCode.Done), 0);
    }
    return ExitCode.Done;
  },
};

/** One for each set of sites: two servers of different sites do not get in each other's way. */
function dataFolder(sites: readonly string[], options: Options, world: World): string {
  if (sites.length === 0) return dataFolderOf(options, world);
  if (typeof options.data === 'string') return options.data;
  const mark = createHash('sha256')
    .update([...sites].sort().join('\n'))
    .digest('hex')
    .slice(0, FOLDER_MARK);
  return join(stateFolder(world.env), 'mcp', mark);
}

function indexFileOf(index: unknown): string | undefined {
  if (index === undefined) return undefined;
  const file = typeof index === 'string' ? /^sqlite:(.+)$/s.exec(index)?.[1] : undefined;
  if (file !== undefined) return file;
  throw new SettingRefusedError('--index', String(index), 'Give the index of a sync as sqlite:<file>.');
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
