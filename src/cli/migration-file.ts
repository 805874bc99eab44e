import { readFileSync } from 'node:fs';
import { findInexactNumber } from '../codecs/agent-feed/exact-numbers.ts';
import type { MigrationDelta } from '../codecs/agent-feed/wire.ts';
import { findJsonFlaw } from '../codecs/primitives/json-flaw.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';

const MAX_DEPTH = 64;
const SHAPE = 'It must be an object like {"add": ["/currency"], "rename": {"/amount": "/total"}}.';

/** A hand-written delta. Its operators are checked where it is signed. */
export function readMigration(file: string): MigrationDelta {
  const text = readText(file);
  const flaw = findJsonFlaw(text, MAX_DEPTH);
  if (flaw !== undefined) {
    const what = flaw.is === 'deep' ? `It is nested deeper than ${MAX_DEPTH} levels.` : `It says ${flaw.at} twice.`;
    throw new SettingRefusedError('--migration', file, what);
  }
  const value: unknown = parse(text, file);
  const inexact = findInexactNumber(text);
  if (inexact !== undefined) {
    const what = `The number ${inexact.slice(0, 100)} cannot be signed as it is written: a reader would see another. Write it as a string.`;
    throw new SettingRefusedError('--migration', file, what);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SettingRefusedError('--migration', file, SHAPE);
  }
  return value as MigrationDelta;
}

/** For `--rename /old=/new`: pointers begin with a slash, so the first `=/` separates the two. */
export function decodeRenames(texts: readonly string[]): Record<string, string> {
  const renames: Record<string, string> = {};
  for (const text of texts) {
    const at = text.indexOf('=/');
    if (!text.startsWith('/') || at === -1) {
      throw new SettingRefusedError('--rename', text, 'Give two JSON Pointers, like /amount=/total');
    }
    renames[text.slice(0, at)] = text.slice(at + 1);
  }
  return renames;
}

function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingRefusedError('--migration', file, `It cannot be read (${reason}).`);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingRefusedError('--migration', file, `It is not JSON: ${reason}`);
  }
}
