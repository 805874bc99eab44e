import { SettingRefusedError } from '../../errors/setting-refused-error.ts';

export interface SandboxOptions {
  /** Chromium may run without its sandbox if it has none, as for root. */
  readonly allowUnsandboxed?: boolean | undefined;
  /** Whether root runs this; looked up unless said otherwise. */
  readonly isRoot?: boolean;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Whether Chromium runs in its sandbox. Throws a {@link SettingRefusedError} if it cannot and this was not allowed: a page that exploits the browser would
 * then have the rights of root.
 */
export function ensureSandbox(options: SandboxOptions = {}): boolean {
  const { allowUnsandboxed = false } = options;
  if (!(options.isRoot ?? isRoot())) return true;
  if (allowUnsandboxed) return false;
  throw new SettingRefusedError(
    '--render',
    'as root',
    'Chromium has no sandbox for root, so a hostile page would be kept from this machine by nothing else. Run as another user, or say --allow-unsandboxed-browser if this machine is there for that alone.',
  );
}
