/**
 * Bundles the compiler's output for publication: the command line and the doors, with the used parts of other packages.
 *
 *     tsc -p tsconfig.build.json && node scripts/bundle.mjs
 *
 *     dist/cli/main.js, dist/doors/<door>.js   where package.json lets others in
 *     dist/chunks/                             what they share; each is loaded when it is needed
 *     dist/tables/                             large tables of others, each loaded when it is first used
 *     dist/assets/                             what the pages of a hub load: a style and scripts; verify.html, which is whole in itself
 *     dist/**.d.ts                             the types that the doors show
 *     dist/NOTICES.txt                         whose work is inside, and on which terms
 *
 * Packages in `dependencies` and `peerDependencies` stay external. The compiled modules stay beside the bundle for the tests and are not published. Names and
 * line breaks are kept, and comments name the file of each part, so that stack traces are readable. See docs/adr/0064-what-is-published.md.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { noticesOf } from './notices.mjs';
import { shownTypes } from './shown-types.mjs';
import { verifierPage } from './verifier-page.mjs';

const { bin, exports, dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const doors = Object.values(exports).filter(({ types }) => types !== undefined);
const entries = [bin.tidings, ...doors.map((door) => door.default)];
const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: Object.keys({ ...dependencies, ...peerDependencies }),
  metafile: true,
  write: false,
  logLevel: 'warning',
};
/** CommonJS modules load Node's modules with `require`, which an ES module does not have. */
const REQUIRE = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n";

const bundled = await build({
  ...COMMON,
  entryPoints: entries,
  outdir: 'dist',
  outbase: 'dist',
  chunkNames: 'chunks/[hash]',
  splitting: true,
  format: 'esm',
});
// Reading a page is synchronous and loads these tables on the way, which only CommonJS can.
const tables = await build({
  ...COMMON,
  entryPoints: { o200k: 'gpt-tokenizer/encoding/o200k_base', languages: 'eld/extrasmall' },
  outdir: 'dist/tables',
  outExtension: { '.js': '.cjs' },
  minifyWhitespace: true,
  format: 'cjs',
});

const assets = await build({
  ...COMMON,
  platform: 'browser',
  target: 'es2022',
  external: [],
  entryPoints: ['src/browser/dashboard.ts', 'src/browser/dashboard.css'],
  outdir: 'dist/assets',
  minify: true,
  format: 'esm',
});

// The page that checks receipts is also a single file that can be kept.
const verifier = await build({
  ...COMMON,
  platform: 'browser',
  target: 'es2022',
  external: [],
  entryPoints: ['src/browser/verify/verify.ts', 'src/browser/verify/verify.css'],
  outdir: 'dist/assets',
  minify: true,
  format: 'esm',
});

// Scripts and styles inside the pages that a publish writes for people, and those that a preview adds to pages.
const changes = await build({
  ...COMMON,
  platform: 'browser',
  target: 'es2022',
  external: [],
  entryPoints: {
    changes: 'src/browser/changes/changes.ts',
    'changes-style': 'src/browser/changes/changes.css',
    preview: 'src/browser/preview/preview.ts',
    'preview-style': 'src/browser/preview/preview.css',
  },
  outdir: 'dist/assets',
  minify: true,
  format: 'iife',
});

// Bundled modules are not needed a second time.
for (const folder of ['dist/cli', 'dist/doors']) removeFiles(folder, (file) => file.endsWith('.js'));
for (const { path, text } of [
  ...bundled.outputFiles,
  ...tables.outputFiles,
  ...assets.outputFiles,
  ...changes.outputFiles,
]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, asksForRequire(text) ? withRequire(text) : text);
}
cpSync('src/browser/icon.svg', 'dist/assets/icon.svg');
const [script, style] = ['.js', '.css'].map((end) => verifier.outputFiles.find(({ path }) => path.endsWith(end)).text);
writeFileSync('dist/assets/verify.js', script);
writeFileSync('dist/assets/verify.css', style);
writeFileSync('dist/assets/verify.html', verifierPage({ script, style }));
const shown = shownTypes(doors.map((door) => door.types));
removeFiles('dist', (file) => file.endsWith('.d.ts') && !shown.has(file));
writeFileSync('dist/NOTICES.txt', noticesOf([bundled.metafile, tables.metafile]));

function asksForRequire(text) {
  return /^var __require = /m.test(text);
}

/** Inserted after the shebang line. */
function withRequire(text) {
  const [, program = ''] = /^(#!.*\n)?/.exec(text);
  return `${program}${REQUIRE}${text.slice(program.length)}`;
}

function removeFiles(folder, isUnwanted) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = relative('.', join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (entry.isFile() && isUnwanted(file)) rmSync(file);
  }
}
