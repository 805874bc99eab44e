import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** What browsers are given of a page, as the build made it: `dashboard.css`. */
export function readPackageAsset(name: string): Uint8Array {
  return readFileSync(require.resolve(`#assets/${name}`));
}
