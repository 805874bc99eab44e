/** What GitHub's runner passes to a step, and receives from it. */
import { appendFileSync } from 'node:fs';

/**
 * @param {string} name
 * @param {string} [otherwise] what stands for one that is empty; without it the step ends
 */
export function setting(name, otherwise) {
  const value = process.env[name] ?? '';
  if (value !== '') return value;
  if (otherwise !== undefined) return otherwise;
  return stop(`${name} is not set.`);
}

/**
 * An output for later steps. It must be one line, so that its value cannot begin another output.
 *
 * @param {string} name
 * @param {string} value
 */
export function output(name, value) {
  if (/[\r\n]/.test(value)) stop(`The output ${name} has several lines.`);
  appendFileSync(setting('GITHUB_OUTPUT'), `${name}=${value}\n`);
}

/** @param {string} markdown */
export function summarize(markdown) {
  appendFileSync(setting('GITHUB_STEP_SUMMARY'), `${markdown.trimEnd()}\n\n`);
}

/** @param {string} message */
export function warn(message) {
  process.stdout.write(`::warning::${oneLine(message)}\n`);
}

/**
 * @param {string} message
 * @param {number} [code]
 * @returns {never}
 */
export function stop(message, code = 1) {
  process.stdout.write(`::error::${oneLine(message)}\n`);
  process.exit(code);
}

/**
 * The runner reads commands line by line, so a message must stay on one line.
 *
 * @param {string} text
 */
function oneLine(text) {
  return text.slice(0, 4000).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
