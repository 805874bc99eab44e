import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { ExitCode } from '../exit-code.ts';
import { addServerOptions, databaseOption, readHubConfig } from '../hub-config-options.ts';
import { ending } from '../process-end.ts';
import { hubTokenOf, oidcSecretOf, stripeSecretsOf } from '../secret.ts';
import { showStart } from '../start-status.ts';
import type { Verb } from '../verb.ts';

export const serve: Verb = {
  example: [
    'tidings serve',
    'tidings serve --config tidings.config.json --port 8080 --data ./data',
    'tidings serve --database postgres://tidings@db.example/hub --no-worker',
  ].join('\n'),

  configure(command) {
    addServerOptions(command)
      .addOption(databaseOption())
      .option('--no-worker', 'with --database: leave reading sources to other processes')
      .option('--no-projector', 'with --database: leave the jobs that one process does for all to other processes')
      .option('--trust-clock', 'trust the clock of this machine, however far ahead of the log it is')
      .option('--verbose', 'log every check and every request')
      .option('--json', 'print the address as JSON');
  },

  async run(_args, options, world) {
    // Loaded when it is needed: the server costs more than the rest of the command line.
    const { runHub } = await import('../../doors/run-hub.ts');
    const { createPinoLogger } = await import('../../io/pino/logger.ts');
    const config = readHubConfig(options, world);
    ensureShared(config, options);
    const token = hubTokenOf(world);
    const isVerbose = options.verbose === true;
    const logger = createPinoLogger({
      destination: 'stderr',
      pretty: world.isTerminal,
      level: isVerbose ? 'debug' : 'info',
    });
    const start = showStart(world, Date.now);
    await using hub = await started(world.signal, () =>
      runHub(config, {
        logger: start.over(logger),
        onJob: start.job,
        logRequests: isVerbose,
        trustClock: options.trustClock === true,
        stripe: stripeSecretsOf(world),
        oidcSecret: oidcSecretOf(world),
        signal: world.signal,
        leaves: { visits: options.worker === false, projections: options.projector === false },
        onNewToken(made) {
          world.complain(`tidings: the token of this hub is ${made}`);
          world.complain(
            'tidings: it is shown this once and kept only as a hash; set TIDINGS_TOKEN to choose your own.',
          );
        },
        ...(token !== undefined && { token }),
      }),
    );
    start[Symbol.dispose]();
    if (hub === undefined) {
      logger.info({}, 'Stopped before it had begun');
      return ExitCode.Done;
    }
    const sources = hub.sources();
    if (options.json) await world.print(JSON.stringify({ url: hub.url, data: config.data, sources }));
    else {
      await world.print(`Tidings hub at ${hub.url}`);
      await world.print(`All changes: ${hub.url}ai-changes.ndjson`);
      await world.print(`For feed readers: ${hub.url}changes.atom`);
      await world.print(`Watching ${sources} ${sources === 1 ? 'source' : 'sources'}. Ctrl-C stops it.`);
    }
    return await ending(hub.ended, world, logger);
  },
};

/** Undefined if it was asked to stop in the meantime. */
async function started<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T | undefined> {
  try {
    return await start();
  } catch (error) {
    if (signal.aborted && error === signal.reason) return undefined;
    throw error;
  }
}

/** A hub of one process leaves nothing to others. */
function ensureShared({ database }: { readonly database?: string }, options: Readonly<Record<string, unknown>>): void {
  if (database !== undefined) return;
  for (const part of ['worker', 'projector'])
    if (options[part] === false)
      throw new SettingRefusedError(`--no-${part}`, 'alone', 'Other processes can do that with a --database only.');
}
