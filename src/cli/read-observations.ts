import { readFileSync } from 'node:fs';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';

export interface Observation {
  readonly endpointId: string;
  /** A response, or its shape: `{"/currency": "string"}`. */
  readonly observed: unknown;
}

/** What follows `--observe`: pairs of an endpoint-id and a file. */
export function observationsIn(values: unknown): Observation[] {
  const words = Array.isArray(values) ? values.map(String) : [];
  if (words.length % 2 === 1) {
    throw new SettingRefusedError('--observe', words.join(' '), 'Give an endpoint-id and a file.');
  }
  if (words.includes('')) throw new SettingRefusedError('--observe', words.join(' '), 'A part of it is empty.');
  const pairs = Array.from({ length: words.length / 2 }, (_, at) => words.slice(2 * at, 2 * at + 2));
  return pairs.map(([endpointId = '', file = '']) => ({ endpointId, observed: responseIn('--observe', file) }));
}

export function responseIn(option: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingRefusedError(option, file, `Give a file with a response, or its shape, in JSON (${reason}).`);
  }
}
