import { InvalidArgumentError, Option } from 'commander';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { World } from './world.ts';

/** A whole number of at least `least`, for commander. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`Give a whole number of at least ${least}.`);
    }
    return value;
  };
}

/** For an option that may be repeated. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

export function caOption(): Option {
  return new Option('--ca <file>', 'also trust this certificate authority').env('TIDINGS_CA');
}

export function botUrlOption(): Option {
  return new Option('--bot-url <url>', 'a page about who runs this, named in the User-Agent').env('TIDINGS_BOT_URL');
}

export function cooldownOption(): Option {
  return new Option('--cooldown <ms>', 'pause between two pages of a host, below 2000 only for private addresses')
    .env('TIDINGS_COOLDOWN')
    .argParser(wholeNumber(0));
}

/** For verbs that count cosignatures. */
export function witnessKeyOption(): Option {
  return new Option('--witness <vkey|file>', 'the key of a witness that must have cosigned (repeatable)').argParser(
    collect,
  );
}

export function quorumOption(): Option {
  return new Option('--quorum <count>', 'how many of the witnesses must have cosigned (default: all)').argParser(
    wholeNumber(1),
  );
}

/** What the two say. */
export function quorumFlags(options: Readonly<Record<string, unknown>>): { witnesses?: string[]; quorum?: number } {
  const { witness, quorum } = options;
  return {
    ...(Array.isArray(witness) && { witnesses: witness.map(String) }),
    ...(typeof quorum === 'number' && { quorum }),
  };
}

const ALLOW_PRIVATE = 'TIDINGS_ALLOW_PRIVATE';

export function allowPrivateOption(purpose: string): Option {
  return new Option('--allow-private', `${purpose} (env: ${ALLOW_PRIVATE}=1)`);
}

/** Whether private addresses may be reached. A variable that says no, or nothing, does not open them. */
export function isPrivateAllowed(flag: unknown, world: World): boolean {
  return privateSaid(flag, world) ?? false;
}

/** What the flag or the variable says of private addresses; undefined where neither says anything. */
export function privateSaid(flag: unknown, { env }: World): boolean | undefined {
  const value = env[ALLOW_PRIVATE]?.toLowerCase() ?? '';
  if (flag === true || value === '1' || value === 'true') return true;
  if (value === '') return undefined;
  if (value === '0' || value === 'false') return false;
  throw new SettingRefusedError(ALLOW_PRIVATE, env[ALLOW_PRIVATE], 'Set it to 1 or 0.');
}
