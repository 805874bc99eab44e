/**
 * tidings.config.json: settings for the folder that Tidings runs in, or the file that `--config` names.
 *
 *     { "$schema": "./node_modules/tidings/schema/tidings.config.schema.json", "botUrl": "https://docs.example/bot" }
 *
 * It overrides defaults; variables and flags override it. Its keys are in `src/hub/config/decode-config.ts`.
 */

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { findJsonFlaw } from '../codecs/primitives/json-flaw.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';

export interface ConfigFile {
  /** As messages call it. */
  readonly file: string;
  /** The folder that it is in. */
  readonly folder: string;
  readonly value: unknown;
}

const CONFIG_FILE = 'tidings.config.json';

/** For a refusal without a single wrong key. */
const WHOLE = '(as a whole)';
/** No setting is nested so deep. */
const MAX_DEPTH = 64;
const SHOWN = 100;

/** The named file, which must exist; else that of the working folder, if there is one. */
export function readConfigFile(named: string | undefined): ConfigFile | undefined {
  const file = named ?? CONFIG_FILE;
  const bytes = readBytes(file, named !== undefined);
  return bytes === undefined ? undefined : { file, folder: dirname(resolve(file)), value: parse(bytes, file) };
}

function readBytes(file: string, isNamed: boolean): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (!isNamed && error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingRefusedError(isNamed ? '--config' : CONFIG_FILE, isNamed ? file : WHOLE, `${reason}.`);
  }
}

function parse(bytes: Uint8Array, file: string): unknown {
  const text = decodeText(bytes, file);
  const flaw = findJsonFlaw(text, MAX_DEPTH);
  if (flaw?.is === 'deep') throw new SettingRefusedError(file, WHOLE, `It is nested deeper than ${MAX_DEPTH} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingRefusedError(file, WHOLE, `It is not JSON: ${reason}`);
  }
  if (flaw === undefined) return value;
  throw new SettingRefusedError(`${file}: ${flaw.at.slice(0, SHOWN)}`, '(twice)', 'Of two values, one must go.');
}

function decodeText(bytes: Uint8Array, file: string): string {
  try {
    // Drops the byte order mark that some editors begin a file with.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SettingRefusedError(file, WHOLE, 'It is not UTF-8. Save it in that encoding.');
  }
}
