/**
 * Writes what a peer takes for the content of each page, as plain text, in a separate process.
 *
 *     node quality-child.mjs readability|defuddle pages.json predictions.json     pages.json: [{ "id", "url", "html" }, …]
 *
 * Writes `{ "ID": "plain text" }`, reports progress on stderr, and prints `{ "pages": …, "failed": [ID, …] }`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Readability } from '@mozilla/readability';
import { Defuddle } from 'defuddle/node';
import { JSDOM, VirtualConsole } from 'jsdom';
import { parseHTML } from 'linkedom';

const PEERS = {
  readability(html, url) {
    // Without listeners, so that errors in a page's style sheets are not printed.
    const { window } = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
    const content = new Readability(window.document).parse()?.content ?? '';
    window.close();
    return content;
  },
  // On the DOM that its documentation names first. Nothing is fetched: every side reads the same bytes.
  defuddle: async (html, url) => (await Defuddle(parseHTML(html).document, url, { useAsync: false })).content,
};
const PROGRESS_EVERY = 50;

const UNSEEN = new Set(['script', 'style', 'template']);
const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd label mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

// Some peers print remarks about a page's data.
for (const method of ['log', 'warn', 'error']) console[method] = () => {};

const [peer, input, output] = process.argv.slice(2);
const pages = JSON.parse(readFileSync(input, 'utf8'));
const predictions = {};
const failed = [];
for (const [at, { id, url, html }] of pages.entries()) {
  if (at % PROGRESS_EVERY === 0) process.stderr.write(`quality: ${peer} ${at} of ${pages.length}\n`);
  try {
    predictions[id] = textOf(await PEERS[peer](html, url));
  } catch {
    failed.push(id);
  }
  // jsdom frees a closed window only once its tasks have run.
  await setImmediate();
}
writeFileSync(output, JSON.stringify(predictions));
process.stdout.write(JSON.stringify({ pages: pages.length, failed }));

/** The text of a piece of HTML. The end of every element except inline ones ends a word. */
function textOf(html) {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  const pieces = [];
  collect(document.body, pieces);
  return pieces.join('');
}

function collect(node, pieces) {
  for (const child of node.childNodes) {
    if (child.nodeType === 3) pieces.push(child.data);
    if (child.nodeType !== 1 || UNSEEN.has(child.localName)) continue;
    const edge = INLINE.has(child.localName) ? '' : '\n';
    pieces.push(edge);
    collect(child, pieces);
    pieces.push(edge);
  }
}
