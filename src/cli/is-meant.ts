import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { Options } from './verb.ts';
import type { World } from './world.ts';

export interface Confirmation {
  /** What will be for good. */
  readonly warning: string;
  /** What a person has to type, so that no habit of saying yes does harm. */
  readonly word: string;
}

/** Asks a person, unless `--yes` was given. Where nobody can be asked, it has to be. */
export async function isMeant(
  { warning, word }: Confirmation,
  { options, world }: { readonly options: Options; readonly world: World },
): Promise<boolean> {
  if (options.yes === true) return true;
  if (world.ask === undefined) {
    throw new SettingRefusedError('--yes', '(not given)', `${warning} Add --yes if you mean it.`);
  }
  const answer = await world.ask(`${warning}\nType ${word} to go on: `);
  if (answer.trim().toLowerCase() === word.toLowerCase()) return true;
  world.complain('tidings: Nothing was done.');
  return false;
}
