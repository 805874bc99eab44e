import { createRequire } from 'node:module';

interface PackageFacts {
  readonly version: string;
  readonly homepage: string;
}

/** The version of this package, by its own name: wherever a bundle puts this file. */
export function packageVersion(): string {
  return readPackageFacts().version;
}

/** Where people read about this package, with a final slash. */
export function packageHomepage(): string {
  return readPackageFacts().homepage;
}

function readPackageFacts(): PackageFacts {
  return createRequire(import.meta.url)('tidings/package.json');
}
