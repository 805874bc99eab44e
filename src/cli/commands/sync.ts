import { type Command, InvalidArgumentError, Option } from 'commander';
import type { HttpOptions } from '../../doors/open-http.ts';
import { openEmbedder, openSink, type SyncOptions, type SyncReport, sync, syncStateFolder } from '../../doors/sync.ts';
import { addCrawlOptions, crawlOptionsOf } from '../crawl-options.ts';
import { ExitCode } from '../exit-code.ts';
import { wholeNumber } from '../option-values.ts';
import { addRuleOptions, ruleOptionsOf } from '../rule-options.ts';
import { embedKeyOf, hubTokenOf } from '../secret.ts';
import { printSyncReport, syncExitCode } from '../sync-text.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

const KEY_HELP = `
The key for an embedding server comes from TIDINGS_EMBED_KEY, or from the file named in TIDINGS_EMBED_KEY_FILE, the token for a
hub from TIDINGS_TOKEN. A sink is one of dir:<folder>, sqlite:<file>, postgres://<server>/<database>, exec:<command>.`;

const HOUR_MS = 60 * 60 * 1000;

interface Given {
  readonly to?: string;
  readonly once?: boolean;
  readonly plan?: boolean;
  readonly json?: boolean;
  readonly state?: string;
  readonly hub?: string;
  readonly by?: 'pages' | 'feed';
  readonly recheck?: number;
  readonly use?: NonNullable<SyncOptions['use']>;
  readonly ignoreTerms?: boolean;
  readonly allowDeletes?: boolean;
  readonly embed?: string;
  readonly embedModel?: string;
  readonly embedDimension?: number;
  readonly embedBatch?: number;
  readonly embedBatchTokens?: number;
  readonly pricePerMillion?: number;
  readonly chunkTokens?: number;
  readonly chunkMax?: number;
}

export const syncVerb: Verb = {
  example: [
    'tidings sync https://docs.example/ --to dir:./mirror --once',
    'tidings sync https://docs.example/ --to sqlite:docs.db --plan --json',
    'tidings sync https://docs.example/ --to sqlite:docs.db --embed http://127.0.0.1:11434/v1 --embed-model nomic-embed-text',
  ].join('\n'),

  configure(command) {
    command
      .argument('[url...]', 'the sites (with --hub: only pages below these URLs)')
      .requiredOption('--to <sink>', 'where the index is: dir:, sqlite:, postgres: or exec:')
      .option('--once', 'check once, and stop when the index is up to date')
      .option('--plan', 'show what would be done, but do nothing')
      .option('--json', 'print reports as JSON, one per line')
      .addOption(
        new Option('--state <dir>', 'folder for what is known (default: .tidings/sync-<hash>)').env('TIDINGS_STATE'),
      )
      .option('--hub <url>', 'read the stream of a running hub instead of watching the sites')
      .addOption(
        new Option('--by <way>', 'ask every page whether it changed, or use the feeds of the sites')
          .choices(['pages', 'feed'])
          .default('pages'),
      )
      .option('--recheck <hours>', 'with --by feed: time between checks of all pages (default: 24)', wholeNumber(1))
      .option('--allow-deletes', 'continue even if many pages would be removed')
      .addOption(
        new Option('--use <use>', 'what the index is for (pages whose terms forbid it are skipped)')
          .choices(['search', 'ai-input', 'ai-train'])
          .default('ai-input'),
      )
      .option('--ignore-terms', 'include pages even if their terms forbid it');
    addEmbedOptions(command);
    addCrawlOptions(addRuleOptions(command));
    command.addHelpText('after', KEY_HELP);
  },

  async run(urls, options, world) {
    const given = options as Given;
    const { to = '', hub = '', plan: isPlan = false } = given;
    const isOnce = given.once === true || isPlan;
    const state = given.state ?? syncStateFolder([...urls, hub], to);
    const onLine = (line: string) => world.complain(line);
    const sink = await openSink(to, { state, signal: world.signal, onLine });
    if (given.state === undefined) world.complain(`tidings: what is known is kept in ${state} (--state).`);
    try {
      await using embedder = await embedderOf(given, crawlOptionsOf(options, world), world);
      const reports = sync({
        ...syncOptionsOf(given, world),
        ...crawlOptionsOf(options, world),
        ...ruleOptionsOf(options, world),
        urls,
        sink,
        state,
        ...(embedder !== undefined && { embed: embedder }),
        onProgress: (left) => world.status(left === 0 ? '' : `${left} ${left === 1 ? 'page' : 'pages'} to read`),
      });
      return await lastCode(reports, given, world);
    } catch (error) {
      // Who watches until he is stopped has done all when he is.
      if (!isOnce && world.signal.aborted) return ExitCode.Done;
      throw error;
    } finally {
      await sink[Symbol.asyncDispose]?.();
    }
  },
};

function addEmbedOptions(command: Command): void {
  command
    .option('--embed <url|module>', 'make vectors with an OpenAI-compatible server, or a module with embed(texts)')
    .option('--embed-model <name>', 'the model to request from the server')
    .option('--embed-dimension <count>', 'number of dimensions of a vector', wholeNumber(1))
    .option('--embed-batch <count>', 'at most this many texts in one request (default: 64)', wholeNumber(1))
    .option('--embed-batch-tokens <count>', 'at most this many tokens in one request (default: 8000)', wholeNumber(1))
    .option('--price-per-million <price>', 'price of a million tokens, to show the cost', price)
    .option('--chunk-tokens <count>', 'target number of tokens in a chunk (default: 400)', wholeNumber(50))
    .option('--chunk-max <count>', 'at most this many tokens in a chunk (default: 800)', wholeNumber(50));
}

function price(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('Give a price.');
  return value;
}

async function embedderOf(given: Given, { ca, botUrl }: HttpOptions, world: World) {
  const { embed, embedModel: model, embedDimension: dimension } = given;
  if (embed === undefined) return undefined;
  const http = { ...(ca !== undefined && { ca }), ...(botUrl !== undefined && { botUrl }) };
  return await openEmbedder(embed, { ...http, model, dimension, key: embedKeyOf(world) });
}

function syncOptionsOf(given: Given, world: World): Omit<SyncOptions, 'sink'> {
  const { once, plan, by, recheck, use, ignoreTerms, allowDeletes, hub, chunkTokens, chunkMax } = given;
  const token = hub === undefined ? undefined : hubTokenOf(world);
  return {
    ...(once !== undefined && { once }),
    ...(plan !== undefined && { plan }),
    ...(by !== undefined && { by }),
    ...(recheck !== undefined && { recheckMs: recheck * HOUR_MS }),
    ...(use !== undefined && { use }),
    ...(ignoreTerms !== undefined && { ignoreTerms }),
    ...(allowDeletes !== undefined && { allowDeletes }),
    ...(hub !== undefined && { hub }),
    ...(token !== undefined && { hubToken: token }),
    batch: {
      ...(given.embedBatch !== undefined && { maxTexts: given.embedBatch }),
      ...(given.embedBatchTokens !== undefined && { maxTokens: given.embedBatchTokens }),
    },
    chunk: {
      ...(chunkTokens !== undefined && { targetTokens: chunkTokens }),
      ...(chunkMax !== undefined && { maxTokens: chunkMax }),
    },
    signal: world.signal,
  };
}

async function lastCode(reports: AsyncIterable<SyncReport>, given: Given, world: World): Promise<ExitCode> {
  let code: ExitCode = ExitCode.Done;
  for await (const report of reports) {
    world.status('');
    await printSyncReport(report, given, world);
    code = syncExitCode(report);
  }
  return code;
}
