/**
 * Changes the built code while it is loaded: see `cluster-hub-patch.mjs`. Where a place is not found any more nothing is witnessed, and the torture, which
 * counts what was, fails.
 */

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is a line of the built code.
const NAMING = 'const name = `${kind}-${randomNonce()}`;';
/** What is looked for stands in one chunk, once. */
const WITNESS = [
  [
    // Which of the writes is refused is decided under the lock of the journal.
    'if (refused !== void 0)\n        return { refused };',
    'if (refused !== void 0) {\n        globalThis.tortureCluster?.refused(write, refused);\n        return { refused };\n      }',
  ],
  [
    'return await this.#queue.append(byTheirClock);',
    'const witnessed = await this.#queue.append(byTheirClock);\n    globalThis.tortureCluster?.acked(byTheirClock, witnessed);\n    return witnessed;',
  ],
  ['async #once(calls) {', 'async #once(calls) {\n    globalThis.tortureCluster?.before(calls);'],
  [NAMING, `${NAMING}\n  globalThis.tortureCluster?.named(name);`],
];
const FLAWS = {
  'two-projectors': [
    ['relay: steps?.("atom")', 'relay: void 0'],
    ['relay: world.steps?.("diffdelta")', 'relay: void 0'],
  ],
};
/** Each chunk that could have a place is known by a word of it. */
const MARKS = /state\.refusalOf|byTheirClock|randomNonce\(\)\}`|steps\?\.\("/;

let replacements = WITNESS;

export function initialize({ flaw }) {
  replacements = [...WITNESS, ...(flaw === undefined ? [] : FLAWS[flaw])];
}

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!url.includes('/dist/') || loaded.source == null) return loaded;
  let source = loaded.source.toString();
  if (!MARKS.test(source)) return loaded;
  for (const [before, after] of replacements) source = source.replace(before, () => after);
  return { ...loaded, source };
}
