/**
 * Replays histories in a process of its own.
 *
 *     node diffdelta-child.mjs <file>
 *
 * The file holds one history per line, as JSON. Prints the SHA-256 of the cursors of each.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { emptyFeed, entryOf, restatedFeed } from '../../dist/dialects/diffdelta/runs/make-feed.js';
import { globalRunFeed, sourceRunFeed, unchangedEntry } from '../../dist/dialects/diffdelta/runs/run-feeds.js';
import { itemsOfRun } from '../../dist/dialects/diffdelta/runs/run-items.js';
import { placeChanges } from '../../dist/log/place-changes.js';
import { cursorsOf, replay } from './diffdelta-replay.mjs';

const engine = {
  placeChanges,
  itemsOfRun,
  sourceRunFeed,
  globalRunFeed,
  unchangedEntry,
  entryOf,
  emptyFeed,
  restatedFeed,
};
for (const line of readFileSync(process.argv[2], 'utf8').trimEnd().split('\n')) {
  const cursors = cursorsOf(replay(JSON.parse(line), engine));
  process.stdout.write(`${createHash('sha256').update(cursors).digest('hex')}\n`);
}
