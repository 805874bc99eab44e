import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';

const MAX_CHARS = 512;
/** With white space around it. */
const MAX_BYTES = 4096;

/** What a file with a secret holds, without the white space around it. The secret itself is never part of an error. */
export async function readSecret(file: string, name = 'API key'): Promise<string> {
  const secret = (await readWhole(file, name)).trim();
  if (secret === '') throw refused(file, name, 'It is empty.');
  if (secret.length > MAX_CHARS || /\s/.test(secret)) throw refused(file, name, 'It holds more than one secret.');
  return secret;
}

async function readWhole(file: string, name: string): Promise<string> {
  try {
    // A pipe that nobody writes to would be waited for.
    await using opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = await opened.stat();
    if (!facts.isFile()) throw refused(file, name, 'It is no regular file.');
    if (facts.size > MAX_BYTES) throw refused(file, name, `It is larger than ${MAX_BYTES} bytes.`);
    return await opened.readFile('utf8');
  } catch (error) {
    if (error instanceof SettingRefusedError) throw error;
    throw refused(file, name, `It cannot be read (${error instanceof Error ? error.message : String(error)}).`);
  }
}

function refused(file: string, name: string, reason: string): SettingRefusedError {
  const remedy = `${reason} Give a file that holds the ${name === 'API key' ? 'key' : name} and nothing else.`;
  return new SettingRefusedError(`the file of the ${name}`, file, remedy);
}
