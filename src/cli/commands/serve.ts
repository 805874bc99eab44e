import { runHub } from '../../doors/run-hub.ts';
import { createPinoLogger } from '../../io/pino-logger.ts';
import { ExitCode } from '../exit-code.ts';
import { addServerOptions, readHubConfig } from '../hub-config-options.ts';
import { hubTokenOf } from '../secret.ts';
import type { Verb } from '../verb.ts';

export const serve: Verb = {
  name: 'serve',
  summary: 'Run my hub: watch the sources, keep one log, serve it as feeds.',
  example: ['tidings serve', 'tidings serve --config tidings.config.json --port 8080 --data ./data'].join('\n'),

  configure(command) {
    addServerOptions(command)
      .option('--verbose', 'log every check and every request')
      .option('--json', 'print the address as JSON');
  },

  async run(_args, options, world) {
    const config = readHubConfig(options, world);
    const token = hubTokenOf(world);
    const isVerbose = options.verbose === true;
    const logger = createPinoLogger({
      destination: 'stderr',
      pretty: world.isTerminal,
      level: isVerbose ? 'debug' : 'info',
    });
    await using hub = await runHub(config, {
      logger,
      logRequests: isVerbose,
      ...(token !== undefined && { token }),
    });
    if (hub.newToken !== undefined) {
      world.complain(`tidings: the token of this hub is ${hub.newToken}`);
      world.complain('tidings: it is shown this once and kept only as a hash; set TIDINGS_TOKEN to choose your own.');
    }
    const { sources } = config;
    const json = { url: hub.url, data: config.data, sources: sources.length };
    await world.print(options.json ? JSON.stringify(json) : `Tidings hub at ${hub.url}`);
    await stopped(world.signal);
    logger.info({}, 'Stopping');
    return ExitCode.Done;
  },
};

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    // The hub's timers do not keep the process alive, its socket does.
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
