import { basename, dirname } from 'node:path';
import { formatTime } from '../../codecs/primitives/time.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { createFileFolder } from './folder.ts';

/** What is remembered of a description: one file, replaced as a whole. */
export interface DescriptionState {
  /** The description up to which everything is published or accepted. Undefined before the first time. */
  readonly text: string | undefined;
  /** Since when it is that one. */
  readonly since: string | undefined;
  /** One that is compared already, and what of it is published. */
  readonly pending: PendingDescription | undefined;
  keep(text: string): Promise<void>;
  keepPending(text: string, published: readonly string[]): Promise<void>;
}

export interface PendingDescription {
  readonly text: string;
  readonly published: readonly string[];
}

interface Remembered {
  readonly version: 1;
  readonly where: string;
  readonly text?: string;
  readonly since?: string;
  readonly pending?: PendingDescription;
}

const REMEDY = 'Name another file, or remove this one to begin anew.';

/** Refuses a file that remembers another description. */
export async function openDescriptionState(file: string, where: string): Promise<DescriptionState> {
  const folder = createFileFolder(dirname(file));
  const bytes = await folder.read(basename(file));
  let kept: Remembered = bytes === undefined ? { version: 1, where } : decode(bytes, file);
  if (kept.where !== where) {
    throw new SettingRefusedError('--state', file, `It remembers ${kept.where}. Name another file for ${where}.`);
  }
  return {
    get text() {
      return kept.text;
    },
    get since() {
      return kept.since;
    },
    get pending() {
      return kept.pending;
    },
    async keep(text) {
      await save({ version: 1, where, text, since: formatTime(Date.now()) });
    },
    async keepPending(text, published) {
      await save({ ...kept, pending: { text, published } });
    },
  };

  async function save(next: Remembered): Promise<void> {
    await folder.replace(basename(file), new TextEncoder().encode(`${JSON.stringify(next)}\n`));
    kept = next;
  }
}

function decode(bytes: Uint8Array, file: string): Remembered {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isRemembered(value)) return value;
  } catch (cause) {
    throw new StateCorruptError(file, 'It is not JSON.', REMEDY, { cause });
  }
  throw new StateCorruptError(file, 'It is not the state of surface watch.', REMEDY);
}

function isRemembered(value: unknown): value is Remembered {
  if (typeof value !== 'object' || value === null) return false;
  const { version, where, text, since, pending } = value as Partial<Record<keyof Remembered, unknown>>;
  const areTexts = [text, since].every((each) => each === undefined || typeof each === 'string');
  return version === 1 && typeof where === 'string' && areTexts && (pending === undefined || isPending(pending));
}

function isPending(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('text' in value) || !('published' in value)) return false;
  return (
    typeof value.text === 'string' &&
    Array.isArray(value.published) &&
    value.published.every((id) => typeof id === 'string')
  );
}
