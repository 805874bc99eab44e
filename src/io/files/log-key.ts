import type { LogSigner } from '../../dialects/projection-settings.ts';
import { decodeLogKey, encodeLogKey, type LogKey, signerOf } from '../../dialects/tlog/log-key.ts';
import { KeyFileError } from '../../errors/surface-error.ts';
import { createKeyFile, readKeyFile } from './key-file.ts';

const NEW_LOG_KEY = 'tidings keys new --log --key log-key.json';

/** Refuses a file that others on this machine can read, and one that holds keys for something else. */
export async function readLogKey(file: string): Promise<LogSigner> {
  return signerIn(await readKeyFile(file, NEW_LOG_KEY), file);
}

/** The signer from the text of a key file. `name` is how messages call it. */
export function signerIn(text: string, name: string): LogSigner {
  const key = decodeLogKey(text);
  if (typeof key !== 'string') return signerOf(key);
  throw new KeyFileError(
    name,
    `${key} Restore it from a backup: a log ends with its key. A new log begins with "${NEW_LOG_KEY}".`,
  );
}

/** Durable when it resolves. A file that is there already is never written over. */
export async function createLogKey(file: string, key: LogKey): Promise<void> {
  await createKeyFile(file, encodeLogKey(key), 'Name another file: a log has one key for as long as it lives.');
}
