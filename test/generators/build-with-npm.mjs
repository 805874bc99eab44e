import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepHtml } from './keep-html.mjs';

/** Where the generators are installed, outside of the project. */
const TOOLS = process.env.GENERATOR_TOOLS ?? join(tmpdir(), 'generator-tools');
const CLOCK = new URL('set-clock.mjs', import.meta.url).href;
const VARIANTS = ['base', 'rebuild', 'new-page', 'bump', 'minor', 'theme', 'edited'];
const FIRST_DAY = '2026-05-12T09:00:00Z';
const OTHER_DAY = '2026-06-30T16:20:00Z';

/**
 * Builds the site of a generator that is a package of npm, in all variants.
 *
 * @param {URL} folder The folder of the generator.
 * @param {{ packages: object, minorPackages: object, command: readonly string[], output: string }} generator Exact versions of what is
 *   installed, for `minor` others; what is run in the folder of the site; where the pages are then.
 */
export function buildWithNpm(folder, { packages, minorPackages, command, output }) {
  const tools = join(TOOLS, basename(fileURLToPath(folder)));
  keepHtml(folder, VARIANTS, (sources, variant) => {
    const isMinor = variant === 'minor';
    const place = installed(join(tools, isMinor ? 'minor' : 'usual'), isMinor ? minorPackages : packages);
    // Packages are looked for in the folders above, so the site lies beside them.
    const site = join(place, variant);
    rmSync(site, { recursive: true, force: true });
    cpSync(sources, site, { recursive: true });
    run({ site, program: join(place, 'node_modules/.bin', command[0]), words: command.slice(1) }, dayOf(variant));
    return join(site, output);
  });
}

function dayOf(variant) {
  return variant === 'rebuild' ? OTHER_DAY : FIRST_DAY;
}

function installed(place, packages) {
  const wanted = JSON.stringify({ private: true, type: 'module', dependencies: packages }, undefined, 2);
  const manifest = join(place, 'package.json');
  if (existsSync(manifest) && readFileSync(manifest, 'utf8') === wanted) return place;
  mkdirSync(place, { recursive: true });
  writeFileSync(manifest, wanted);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: place, stdio: 'inherit' });
  return place;
}

/** The site is a repository of one commit, as a shallow clone is: generators ask it for the day of each page. */
function run({ site, program, words }, now) {
  const git = (...command) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@docs.example', ...command], {
      cwd: site,
      env: { ...process.env, GIT_AUTHOR_DATE: now, GIT_COMMITTER_DATE: now },
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'The site');
  execFileSync(program, words, {
    cwd: site,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${CLOCK}`,
      BUILD_NOW: now,
      CI: '1',
      NO_COLOR: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  });
}
