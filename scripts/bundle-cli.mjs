/**
 * Joins what the compiler made of the command line into few files: `dist/cli/main.js` and the chunks beside it.
 *
 *     tsc -p tsconfig.build.json && node scripts/bundle-cli.mjs
 *
 * A verb loads its own chunks; packages stay packages. Names and line breaks stay, and comments name the file that a part comes
 * from, so that a stack trace can be read. See docs/adr/0007-toolchain.md.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'dist/cli';

const { outputFiles } = await build({
  entryPoints: [`${FOLDER}/main.js`],
  outdir: FOLDER,
  chunkNames: 'chunks/[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  write: false,
  logLevel: 'warning',
});

// What is bundled is not needed a second time.
rmSync(FOLDER, { recursive: true });
for (const { path, contents } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
