import { randomBytes } from 'node:crypto';
import { realpath, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  decodeSigningKeys,
  encodeSigningKeys,
  type SigningKeys,
} from '../../dialects/agent-feed/surface/signing-keys.ts';
import { KeyFileError } from '../../errors/surface-error.ts';
import { codeOf } from './folder.ts';
import { syncFolder } from './growth.ts';
import { createKeyFile, openKeyFile, readKeyFile, writeWhole } from './key-file.ts';

const SEED_BYTES = 32;

export function randomSeed(): Uint8Array {
  return new Uint8Array(randomBytes(SEED_BYTES));
}

/** Refuses a file that others on this machine can read: it is no longer secret. */
export async function readSigningKeys(file: string): Promise<SigningKeys> {
  const keys = decodeSigningKeys(await readKeyFile(file, 'tidings keys new'));
  if (typeof keys === 'string') throw new KeyFileError(file, `${keys} Restore it from a backup, or name another one.`);
  return keys;
}

/** Durable when it resolves. A file that is there already is never written over. */
export async function createSigningKeys(file: string, keys: SigningKeys): Promise<void> {
  await createKeyFile(file, encodeSigningKeys(keys), 'Name another file, or rotate it.');
}

/** Durable when it resolves; at any moment the file is the old or the new one. For one writer at a time. */
export async function replaceSigningKeys(file: string, keys: SigningKeys): Promise<void> {
  // What links to the file keeps doing so.
  const target = await realpath(file).catch(() => file);
  const next = `${target}.next`;
  try {
    await rm(next, { force: true });
    await writeWhole(await openKeyFile(next), encodeSigningKeys(keys));
    await rename(next, target);
    await syncFolder(dirname(resolve(target)));
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined);
    throw new KeyFileError(file, `it cannot be written (${codeOf(error)}). What was there before is untouched.`);
  }
}
