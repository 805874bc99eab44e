import { encodeBase64url } from '../codecs/primitives/base64url.ts';
import { formatTime } from '../codecs/primitives/time.ts';
import { newLogKey } from '../dialects/tlog/log-key.ts';
import { createLogKey } from '../io/files/log-key.ts';
import { randomSeed } from '../io/files/signing-keys.ts';

export interface LogKeyReport {
  readonly created: string;
  /** The raw 32 bytes as base64url. */
  readonly publicKey: string;
}

/** Creates the key of a provable log. An existing file is not overwritten. */
export async function newLogKeyFile({ key }: { readonly key: string }): Promise<LogKeyReport> {
  const made = newLogKey(randomSeed(), formatTime(Date.now()));
  await createLogKey(key, made);
  return { created: made.created, publicKey: encodeBase64url(made.publicKey) };
}
