/** Provides Tidings for later steps: the named one, or an exact version from npm, outside the repository. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { output, setting, stop } from './runner.mjs';

const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const OLDEST_NODE = 20;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE)
  stop(
    `Tidings needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}. Put actions/setup-node before it.`,
  );
const named = setting('INPUT_COMMAND', '');
output('command', named === '' ? install(setting('INPUT_VERSION')) : existing(named));

/** @param {string} command */
function existing(command) {
  const file = resolve(command);
  return existsSync(file)
    ? file
    : stop(`There is no ${file}. Install Tidings before this step, or leave "command" out.`);
}

/** @param {string} version */
function install(version) {
  if (!EXACT.test(version)) stop('"version" must be exact, like 0.1.0: another one may publish otherwise.');
  const folder = join(setting('RUNNER_TEMP'), 'tidings-action');
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status } = spawnSync('npm', ['install', '--prefix', folder, ...quiet, `tidings@${version}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0 ? join(folder, 'node_modules/.bin/tidings') : stop(`npm could not install tidings@${version}.`);
}
