import { isAbsolute, join } from 'node:path';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';

/**
 * Where what must last is kept unless the user names a folder: `$XDG_STATE_HOME/tidings`, else `~/.local/state/tidings`.
 * A relative XDG_STATE_HOME is passed over, as the XDG Base Directory Specification says.
 */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME: stateHome = '', HOME: home = env.USERPROFILE ?? '' } = env;
  if (isAbsolute(stateHome)) return join(stateHome, 'tidings');
  if (isAbsolute(home)) return join(home, '.local', 'state', 'tidings');
  throw new SettingRefusedError('HOME', home, 'It names no folder; say with --state where tokens are kept.');
}
