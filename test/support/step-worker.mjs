/**
 * Counts what a call does instead of how long it takes: the blocks of code that V8 enters, and the characters and elements that built-in searches and moves
 * pass over, which V8 does not count. The result is the same on every machine, however busy.
 *
 * Runs in a separate thread, because V8 counts only in code that is compiled after counting began.
 */
import { Session } from 'node:inspector/promises';
import { runInThisContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';

let passedOver = 0;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
countSearches();
parentPort.on('message', async ({ id, module, run, inputs }) => {
  try {
    const exports = await import(module);
    const call = runInThisContext(`(${run})`);
    const steps = [];
    for (const input of inputs) {
      await takeBlocks();
      passedOver = 0;
      await call(exports, input);
      const searched = passedOver;
      steps.push((await takeBlocks()) + searched);
    }
    parentPort.postMessage({ id, steps });
  } catch (error) {
    parentPort.postMessage({ id, error });
  }
});

async function takeBlocks() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let blocks = 0;
  for (const { url, functions } of result) {
    if (!url.startsWith('file:') || url === import.meta.url) continue;
    for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
  }
  return blocks;
}

function countSearches() {
  const whole = ({ length }) => length;
  const made = (_, __, { length }) => length;
  const upTo = ({ length }, [, from = 0], found) => (typeof found === 'number' && found >= 0 ? found : length) - from;
  count(String.prototype, ['indexOf', 'includes'], upTo);
  count(Array.prototype, ['indexOf', 'includes'], upTo);
  count(
    String.prototype,
    ['lastIndexOf'],
    (text, [, from = text.length], found) => Math.min(from, text.length) - found,
  );
  count(String.prototype, ['split', 'trim', 'trimStart', 'trimEnd', 'toLowerCase', 'normalize'], whole);
  count(Array.prototype, ['shift', 'unshift', 'join'], whole);
  count(Array.prototype, ['splice'], (array, [from], { length }) => (from < 0 ? -from : array.length + length - from));
  count(Array.prototype, ['slice', 'concat'], made);
  count(RegExp.prototype, ['exec'], (pattern, [text], found, from) =>
    found === null
      ? missed(pattern, text, from)
      : found.index + found[0].length - (pattern.global || pattern.sticky ? from : 0),
  );
}

/** A pattern anchored at one place stops there. */
function missed({ global, sticky, multiline, source }, text, from) {
  if (sticky || (source.startsWith('^') && !multiline)) return 1;
  return String(text).length - (global ? from : 0);
}

function count(prototype, names, passedBy) {
  for (const name of names) {
    const original = prototype[name];
    prototype[name] = function counted(...args) {
      const from = this.lastIndex;
      const found = Reflect.apply(original, this, args);
      passedOver += Math.max(0, passedBy(this, args, found, from));
      return found;
    };
  }
}
