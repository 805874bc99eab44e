import { statSync } from 'node:fs';
import { codeOf } from './folder.ts';

/**
 * Checks that paths still name the files that a process has open: otherwise it keeps writing to a file whose name is gone or leads elsewhere, and nobody ever
 * finds what was written.
 *
 * Looks at names only: opening and closing a file would drop the locks that this process holds on it.
 */
export class FolderGuard {
  readonly #known: ReadonlyMap<string, string>;

  /** Remembers what lies at the paths now. */
  constructor(paths: readonly string[]) {
    this.#known = new Map(paths.map((path) => [path, identityAt(path)]));
  }

  /** What is not as it was; undefined while everything is. A folder that is moved back is the same again. */
  get lost(): string | undefined {
    for (const [path, known] of this.#known) {
      const now = identityAt(path);
      if (now !== known) return `${path} ${now === MISSING ? 'was deleted or moved' : 'is another one'}`;
    }
    return undefined;
  }
}

const MISSING = 'missing';

/** An inode cannot be given out again while the file is open. */
function identityAt(path: string): string {
  try {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    return facts === undefined ? MISSING : `${facts.dev}:${facts.ino}`;
  } catch (error) {
    return codeOf(error);
  }
}
