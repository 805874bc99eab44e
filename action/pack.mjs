/** Packs the site into the one file that GitHub Pages accepts. Unlike GitHub's own upload, it includes .well-known. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { output, setting, stop } from './runner.mjs';

const dir = setting('INPUT_DIR');
if (!existsSync(join(dir, '.well-known'))) stop(`There is no .well-known in ${dir}: was it published?`);
const file = join(setting('RUNNER_TEMP'), 'artifact.tar');
const left = ['--exclude=.git', '--exclude=.github'];
const { status } = spawnSync(
  'tar',
  ['--dereference', '--hard-dereference', `--directory=${dir}`, ...left, '-cf', file, '.'],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
if (status !== 0) stop('The site could not be packed.');
output('file', file);
