import { resolve } from 'node:path';
import { Option } from 'commander';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { ExitCode } from '../exit-code.ts';
import { addHubOptions, databaseOption, readHubConfig } from '../hub-config-options.ts';
import { botUrlOption, cooldownOption, wholeNumber } from '../option-values.ts';
import { ending } from '../process-end.ts';
import type { Verb } from '../verb.ts';

const DATA = 'tidings-worker';
const MOST_AT_ONCE = 256;

export const worker: Verb = {
  example: [
    'tidings worker --database postgres://tidings@db.example/hub',
    'tidings worker --database postgres://tidings@db.example/hub --data /var/lib/tidings --concurrency 64 --metrics-port 9100',
  ].join('\n'),

  configure(command) {
    addHubOptions(command)
      .addOption(databaseOption())
      .addOption(
        new Option('--concurrency <n>', 'read at most this many sources at once (default: 16)').argParser(
          wholeNumber(1),
        ),
      )
      .addOption(
        new Option('--metrics-port <port>', 'serve only /metrics on this port, 0 for any free port').argParser(
          wholeNumber(0),
        ),
      )
      .addOption(botUrlOption())
      .addOption(cooldownOption())
      .option('--verbose', 'log every check')
      .option('--json', 'print its data folder, number of sources and metrics URL as JSON');
    for (const option of command.options)
      if (option.long === '--data')
        option.description = `folder for its copy of the hub (default: ./${DATA} next to the settings)`;
  },

  async run(_args, options, world) {
    // Loaded when it is needed, as the hub is.
    const { runWorker } = await import('../../doors/run-worker.ts');
    const { createPinoLogger } = await import('../../io/pino/logger.ts');
    const { concurrency, metricsPort } = options;
    const read = readHubConfig(options, world);
    if (read.database === undefined)
      throw new SettingRefusedError(
        '--database',
        '(none)',
        'A worker works for a hub: name its database, postgres://user@host/database, or set TIDINGS_DATABASE.',
      );
    if (typeof concurrency === 'number' && concurrency > MOST_AT_ONCE)
      throw new SettingRefusedError('--concurrency', concurrency, `Give a whole number from 1 to ${MOST_AT_ONCE}.`);
    const config = {
      ...read,
      // Never that of a server that may run beside it.
      data: options.data === undefined ? resolve(world.config?.folder ?? '.', DATA) : read.data,
      ...(typeof concurrency === 'number' && { concurrency }),
    };
    const level = options.verbose === true ? 'debug' : 'info';
    const logger = createPinoLogger({ destination: 'stderr', pretty: world.isTerminal, level });
    await using running = await runWorker(config, {
      database: read.database,
      metricsPort: typeof metricsPort === 'number' ? metricsPort : undefined,
      logger,
      signal: world.signal,
    });
    if (running === undefined) {
      logger.info({}, 'Stopped before it had begun');
      return ExitCode.Done;
    }
    const sources = running.sources();
    const { metricsUrl } = running;
    if (options.json) await world.print(JSON.stringify({ data: config.data, sources, metricsUrl }));
    else await world.print(`Works for a hub of ${sources} ${sources === 1 ? 'source' : 'sources'}. Ctrl-C stops it.`);
    return await ending(running.ended, world, logger);
  },
};
