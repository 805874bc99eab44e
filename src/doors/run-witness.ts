import { isKeyName } from '../codecs/tlog/key-name.ts';
import { encodeVerifierKey } from '../codecs/tlog/verifier-key.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { startFastifyServer } from '../io/fastify/server.ts';
import { readVerifierKey } from '../io/files/verifier-key-file.ts';
import { createWitnessKey, readWitnessKey } from '../io/files/witness-key.ts';
import { createPromMetrics } from '../io/prom/metrics.ts';
import { openSqliteWitnessStore } from '../io/sqlite/witness-store.ts';
import { Witness, type WitnessReply } from '../witness/witness.ts';
import { witnessRoutes } from '../witness/witness-routes.ts';
import { Endings } from './endings.ts';

export interface WitnessOptions {
  /** The file with its secret key. */
  readonly key: string;
  /** Verifier keys of the logs that it follows, or files with one key each. */
  readonly logs: readonly string[];
  /** The folder that remembers how far each log was followed. */
  readonly data: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly logger: HubLogger;
}

/** A running witness. */
export interface RunningWitness extends AsyncDisposable {
  /** Its address with a final slash, as logs name it. */
  readonly url: string;
  readonly vkey: string;
}

const GRACE_MS = 5000;

export async function runWitness(options: WitnessOptions): Promise<RunningWitness> {
  const { host, port, data, logger } = options;
  const logKeys = options.logs.map((log) => readVerifierKey(log, 'log', '--log'));
  if (logKeys.length === 0) {
    throw new SettingRefusedError('--log', '(none)', 'Give the verifier key of each log that is witnessed.');
  }
  const key = await readWitnessKey(options.key);
  const endings = new Endings();
  try {
    const store = endings.use(await openSqliteWitnessStore(data));
    const witness = new Witness({ key, logKeys, store, now: Date.now });
    const server = await startFastifyServer({
      routes: witnessRoutes(witness, key.key, (reply) => sayReply(reply, logger)),
      host,
      port,
      isAdmin: () => false,
      trustProxies: [],
      logger,
      metrics: createPromMetrics(),
    });
    endings.add(() => server.close(GRACE_MS));
    return {
      url: server.url,
      vkey: encodeVerifierKey(key.key),
      [Symbol.asyncDispose]: () => endings.run(),
    };
  } catch (error) {
    await endings.run();
    throw error;
  }
}

/** Creates a new secret key in a new file, and returns its public half. `name`: like `witness.example/w1`. */
export async function newWitnessKey(file: string, name: string): Promise<string> {
  if (!isKeyName(name)) {
    throw new SettingRefusedError(
      '--name',
      name,
      'Give a name without spaces and plus signs, like witness.example/w1.',
    );
  }
  return encodeVerifierKey(await createWitnessKey(file, name));
}

function sayReply(reply: WitnessReply, logger: HubLogger): void {
  if (reply.status === 200) {
    logger.info({ origin: reply.origin, size: reply.treeSize }, 'Cosigned a checkpoint');
  } else if (reply.status === 422) {
    logger.error({ reason: reply.reason }, 'A log contradicts itself; both checkpoints are kept as evidence');
  } else if (reply.status !== 409) {
    logger.warn({ status: reply.status, reason: reply.reason }, 'A checkpoint was refused');
  }
}
