import { createRequire } from 'node:module';

/** The version of this package, by its own name: wherever a bundle puts this file. */
export function packageVersion(): string {
  const { version }: { readonly version: string } = createRequire(import.meta.url)('tidings/package.json');
  return version;
}
