/**
 * The figures of `npm run bench -- hub-cost` beside those of another build (`build=<folder>`), as one table in Markdown.
 *
 *     node bench/hub-cost-table.mjs
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PARTS = ['storage', 'catch-up', 'polls', 'lone-poll', 'routes'];

function figuresOf(part, ending) {
  const file = join('bench', 'results', `hub-cost-${part}${ending}.json`);
  if (!existsSync(file)) return {};
  const { ours, peer, peerName } = JSON.parse(readFileSync(file, 'utf8'));
  return peerName === 'goal' ? ours : { ...ours, ...peer };
}

console.log('| part | figure | other build | this build |\n|---|---|---|---|');
for (const part of PARTS) {
  const [before, after] = [figuresOf(part, '-other-build'), figuresOf(part, '')];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    console.log(`| ${part} | ${name} | ${before[name] ?? ''} | ${after[name] ?? ''} |`);
  }
}
