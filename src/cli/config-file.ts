/**
 * tidings.config.json: settings for the folder that Tidings runs in.
 *
 *     { "$schema": "./node_modules/tidings/schema/tidings.config.schema.json", "botUrl": "https://docs.example/bot" }
 *
 * Defaults give way to it, and it gives way to variables and flags.
 */

import { SettingRefusedError } from '../errors/setting-refused-error.ts';

export const CONFIG_FILE = 'tidings.config.json';

/** Which option each key sets, and what it holds. */
const KEYS: Readonly<Record<string, readonly [option: string, type: 'string' | 'whole number']>> = {
  site: ['site', 'string'],
  botUrl: ['botUrl', 'string'],
  cooldownMs: ['cooldown', 'whole number'],
  cache: ['cache', 'string'],
  ca: ['ca', 'string'],
};

/** What is refused where no single key is at fault. */
const WHOLE = '(as a whole)';

/** The options that the file sets. A key or value that is wrong is refused by name, never passed over. */
export function decodeConfig(text: string): ReadonlyMap<string, string | number> {
  const options = new Map<string, string | number>();
  for (const [key, value] of Object.entries(parseObject(text))) {
    if (key === '$schema') continue;
    const known = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (known === undefined) {
      throw new SettingRefusedError(
        `${CONFIG_FILE}: ${key}`,
        '(an unknown key)',
        `Known are ${Object.keys(KEYS).join(', ')}.`,
      );
    }
    const [option, type] = known;
    if (type === 'string' && typeof value === 'string' && value !== '') options.set(option, value);
    else if (type === 'whole number' && typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
      options.set(option, value);
    } else throw new SettingRefusedError(`${CONFIG_FILE}: ${key}`, JSON.stringify(value), `It must be a ${type}.`);
  }
  return options;
}

function parseObject(text: string): object {
  let value: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SettingRefusedError(
      CONFIG_FILE,
      WHOLE,
      `It is not JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new SettingRefusedError(CONFIG_FILE, WHOLE, 'It must hold one JSON object.');
}
