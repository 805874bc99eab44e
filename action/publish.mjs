/** Publishes the site. On a pull request nothing is published: it only writes what a publish would report. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output, setting, stop, summarize, warn } from './runner.mjs';

/** The exit code of the safety stop: many pages would disappear. */
const STOPPED = 4;
const MAX_OUTPUT = 8 * 1024 * 1024;
const MAX_SAID = 4000;

const event = setting('GITHUB_EVENT_NAME');
// There, a token with write access meets code of strangers.
if (event === 'pull_request_target') stop('Run this action on pull_request, not on pull_request_target.', 2);
const isAsked = event === 'pull_request';
const { status, stdout, stderr } = spawnSync(setting('INPUT_RUN'), argumentsOf(isAsked), {
  encoding: 'utf8',
  maxBuffer: MAX_OUTPUT,
  stdio: ['ignore', 'pipe', 'pipe'],
});
process.stderr.write(stderr ?? '');
const isDone = status === 0;
const markdown = isDone ? stdout : failureText(stderr ?? '');
summarize(markdown);
const file = join(setting('RUNNER_TEMP'), 'tidings-summary.md');
writeFileSync(file, markdown);
output('summary', file);
output('changed', String(!isDone || /^- \*\*/m.test(markdown)));
if (!isDone && isAsked && status === STOPPED) warn('A publish of this would stop: many pages would vanish.');
else if (!isDone) stop(`tidings ended with ${status ?? 'a signal'}. Nothing may be deployed now.`, status ?? 1);

/**
 * Values come after a name and an equals sign, or after the two dashes that end all options, so none of them is read as an option.
 *
 * @param {boolean} isAsked
 * @returns {string[]}
 */
function argumentsOf(isAsked) {
  const [dir, site, base] = [setting('INPUT_DIR'), setting('INPUT_SITE'), setting('INPUT_BASE', '')];
  const shared = [
    `--site=${site}`,
    '--markdown',
    ...(setting('INPUT_CLEAN_URLS', 'false') === 'true' ? ['--clean-urls'] : []),
  ];
  if (isAsked && base !== '') return ['diff', ...shared, '--', base, dir];
  const more = setting('INPUT_OPTIONS', '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const previous = `--previous=${setting('INPUT_PREVIOUS', site)}`;
  return ['publish', ...shared, previous, ...more, ...(isAsked ? ['--dry-run'] : []), '--', dir];
}

/** @param {string} said */
function failureText(said) {
  // A longer fence than any in the text, so that it ends where it should.
  const fence = '`'.repeat(Math.max(3, ...Array.from(said.matchAll(/`+/g), ([run]) => run.length + 1)));
  return `### Tidings did not publish\n\n${fence}text\n${said.trim().slice(-MAX_SAID)}\n${fence}\n`;
}
