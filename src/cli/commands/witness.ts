import { Option } from 'commander';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { ExitCode } from '../exit-code.ts';
import { collect, wholeNumber } from '../option-values.ts';
import { ending } from '../process-end.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const witnessVerb: Verb = {
  example: [
    'tidings witness --new-key --key witness.key --name witness.example/w1',
    'tidings witness --key witness.key --log ./vkey --data ./witness --port 8091',
  ].join('\n'),

  configure(command) {
    command
      .option('--key <file>', 'the file with the secret key of the witness')
      .option('--new-key', 'create that file, print the verifier key, and exit')
      .option('--name <name>', 'with --new-key: name of the key, like witness.example/w1')
      .addOption(
        new Option('--log <vkey>', 'the verifier key of a log, or a file with it (repeatable)').argParser(collect),
      )
      .option('--data <dir>', 'folder that records how far each log was followed', './witness')
      .option('--host <address>', 'listen on this address', '127.0.0.1')
      .option('--port <port>', 'listen on this port, 0 for any free port', wholeNumber(0), 8091)
      .option('--json', 'print the address and the verifier key as JSON');
  },

  async run(_args, options, world) {
    const { key, log = [], data, host, port, json } = options as unknown as WitnessFlags;
    if (key === undefined) throw new SettingRefusedError('--key', '(none)', 'Name the file of the key.');
    if (options.newKey === true) return await makeKey(key, options, world);
    // Loaded when it is needed: the server costs more than the rest of the command line.
    const { runWitness } = await import('../../doors/run-witness.ts');
    const { createPinoLogger } = await import('../../io/pino/logger.ts');
    const logger = createPinoLogger({ destination: 'stderr', pretty: world.isTerminal, level: 'info' });
    await using running = await runWitness({ key, logs: log, data, host, port, logger });
    const { url, vkey } = running;
    if (json) await world.print(JSON.stringify({ url, vkey, data, logs: log.length }));
    else {
      await world.print(`Tidings witness at ${url}`);
      await world.print(`Its verifier key: ${vkey}`);
      await world.print(`Following ${log.length} ${log.length === 1 ? 'log' : 'logs'}. Ctrl-C stops it.`);
    }
    return await ending(new Promise(() => {}), world, logger);
  },
};

interface WitnessFlags {
  readonly key?: string;
  readonly log?: readonly string[];
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly json?: boolean;
}

async function makeKey(key: string, { name, json }: Readonly<Record<string, unknown>>, world: World) {
  if (typeof name !== 'string') {
    throw new SettingRefusedError('--name', '(none)', 'Say what the key is called, like witness.example/w1.');
  }
  const { newWitnessKey } = await import('../../doors/run-witness.ts');
  const vkey = await newWitnessKey(key, name);
  await world.print(json ? JSON.stringify({ vkey }) : vkey);
  if (!json) world.complain(`tidings: the secret half is in ${key}. Keep it secret, and a copy of it.`);
  return ExitCode.Done;
}
