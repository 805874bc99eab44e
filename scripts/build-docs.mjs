// Builds the documentation site: docs/.vitepress/dist. Needs a build of the package, whose plugin publishes the site's feeds.
// `node scripts/build-docs.mjs [folder]` builds the documents of another folder, which has docs/node_modules; `--install` builds nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const own = join(root, 'docs');
const [wish] = process.argv.slice(2);

if ((wish === undefined || wish === '--install') && !isInstalled()) {
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', words, { cwd: own, stdio: 'inherit', shell: process.platform === 'win32' });
}
// The package is not installed into its own documentation: npm would install its dependencies a second time.
const link = join(own, 'node_modules/tidings');
if (existsSync(join(own, 'node_modules')) && !existsSync(link)) symlinkSync(root, link, 'junction');

if (wish !== '--install') {
  const folder = resolve(wish ?? root);
  const program = join(folder, 'docs/node_modules/vitepress/bin/vitepress.js');
  execFileSync(process.execPath, [program, 'build', 'docs'], { cwd: folder, stdio: 'inherit' });
}

/** Whether the installed version is the one in the lockfile. */
function isInstalled() {
  const installed = join(own, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const versionIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages['node_modules/vitepress']?.version;
  return versionIn(installed) === versionIn(join(own, 'package-lock.json'));
}
