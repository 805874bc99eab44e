/**
 * What was announced to whom, as one small file beside the log. Targets are named by their hash, since the file may be published with the site.
 *
 *     {"tidings":"announced/1","site":"https://docs.example/","targets":{"websub:5f1c…":{"id":"01J9ZK3V5M0000000000000007","at":"2026-11-17T12:00:00Z"}}}
 */
import { isRecord } from '../codecs/primitives/json-record.ts';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import { stateContradictionError } from '../errors/state-refusals.ts';

export const ANNOUNCED_FILE = 'announced.json';

export interface Announced {
  /** The id of the last change that was announced to the target. */
  readonly id: string;
  readonly at: string;
}

export type AnnouncedTargets = ReadonlyMap<string, Announced>;

const FORMAT = 'announced/1';
const REMEDY = 'Put it back as it was, or remove it: then all of the log is announced once more.';

export function encodeAnnounced(site: string, targets: AnnouncedTargets): string {
  return `${JSON.stringify({ tidings: FORMAT, site, targets: Object.fromEntries(targets) })}\n`;
}

/** `file` is its name in messages. */
export function decodeAnnounced(text: string, file: string, site: string): AnnouncedTargets {
  const value = jsonOf(text);
  if (!isRecord(value) || value.tidings !== FORMAT || !isRecord(value.targets)) {
    throw new StateCorruptError(file, 'This is not what announce writes.', REMEDY);
  }
  if (value.site !== site) {
    throw stateContradictionError([file, 'the log'], `the one is of ${value.site}, the other of ${site}.`, REMEDY);
  }
  const entries = Object.entries(value.targets).map(([key, told]) => {
    if (!isRecord(told) || typeof told.id !== 'string' || typeof told.at !== 'string') {
      throw new StateCorruptError(file, `What it says of ${key} is not what announce writes.`, REMEDY);
    }
    return [key, { id: told.id, at: told.at }] as const;
  });
  return new Map(entries);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
