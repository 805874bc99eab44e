import { readFile } from 'node:fs/promises';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';

const MAX_CHARS = 512;

/** What a file with a secret holds, without the white space around it. The secret itself is never part of an error. */
export async function readSecret(file: string): Promise<string> {
  const secret = (await readWhole(file)).trim();
  if (secret === '') throw refused(file, 'It is empty.');
  if (secret.length > MAX_CHARS || /\s/.test(secret)) throw refused(file, 'It holds more than one secret.');
  return secret;
}

async function readWhole(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw refused(file, `It cannot be read (${error instanceof Error ? error.message : String(error)}).`);
  }
}

function refused(file: string, reason: string): SettingRefusedError {
  return new SettingRefusedError(
    'the file of the API key',
    file,
    `${reason} Give a file that holds the key and nothing else.`,
  );
}
