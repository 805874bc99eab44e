import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  decodeSigningKeys,
  encodeSigningKeys,
  type SigningKeys,
} from '../../dialects/agent-feed/surface/signing-keys.ts';
import { KeyFileError } from '../../errors/surface-error.ts';
import { codeOf } from './folder.ts';
import { syncFolder } from './growth.ts';

const SEED_BYTES = 32;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

export function randomSeed(): Uint8Array {
  return new Uint8Array(randomBytes(SEED_BYTES));
}

/** Refuses a file that others on this machine can read: what is in it is no secret any more. */
export async function readSigningKeys(file: string): Promise<SigningKeys> {
  const keys = decodeSigningKeys(await readSecretText(file));
  if (typeof keys === 'string') throw new KeyFileError(file, `${keys} Restore it from a backup, or name another one.`);
  return keys;
}

/** Durable when it resolves. A file that is there already is never written over. */
export async function createSigningKeys(file: string, keys: SigningKeys): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'wx', OWNER_ONLY);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') {
      throw new KeyFileError(
        file,
        'it is there already, and keys are never written over. Name another file, or rotate it.',
      );
    }
    throw new KeyFileError(file, `it cannot be made (${code}). Check that its folder exists and is yours to write.`);
  }
  try {
    await writeWhole(handle, keys);
    await syncFolder(dirname(resolve(file)));
  } catch (error) {
    await rm(file, { force: true });
    throw new KeyFileError(file, `it cannot be written (${codeOf(error)}). No key was kept.`);
  }
}

/** Durable when it resolves; at any moment the file is the old or the new one. For one writer at a time. */
export async function replaceSigningKeys(file: string, keys: SigningKeys): Promise<void> {
  // What links to the file keeps doing so.
  const target = await realpath(file).catch(() => file);
  const next = `${target}.next`;
  try {
    await rm(next, { force: true });
    await writeWhole(await open(next, 'wx', OWNER_ONLY), keys);
    await rename(next, target);
    await syncFolder(dirname(resolve(target)));
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined);
    throw new KeyFileError(file, `it cannot be written (${codeOf(error)}). What was there before is untouched.`);
  }
}

async function readSecretText(file: string): Promise<string> {
  try {
    const facts = await stat(file);
    if (!facts.isFile()) throw new KeyFileError(file, 'it is no file. Make one with "tidings keys new".');
    if (process.platform !== 'win32' && (facts.mode & OTHERS) !== 0) {
      throw new KeyFileError(
        file,
        'others on this machine can read it. Forbid that with "chmod 600", and rotate the key if somebody may have done so.',
      );
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof KeyFileError) throw error;
    const remedy = codeOf(error) === 'ENOENT' ? 'Make one with "tidings keys new".' : 'Check its permissions.';
    throw new KeyFileError(file, `it cannot be read (${codeOf(error)}). ${remedy}`);
  }
}

async function writeWhole(handle: FileHandle, keys: SigningKeys): Promise<void> {
  try {
    await handle.writeFile(encodeSigningKeys(keys));
    await handle.sync();
  } finally {
    await handle.close();
  }
}
