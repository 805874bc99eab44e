import { isOwnPage } from '../../../extract/own-page.ts';
import { runsOf } from '../../../log/runs-of.ts';
import { withoutExcerpts } from '../../../log/without-excerpts.ts';
import type { RedactedSite, StateFile } from '../../projection.ts';
import { changesPagePath } from './page-html.ts';
import { decodePageMemory } from './page-memory.ts';
import { runHtml, runId } from './run-html.ts';

/** The page with a change, with its run rewritten from the log. */
export async function redactChangesPages({ out, site, changes, id }: RedactedSite): Promise<readonly StateFile[]> {
  const runs = runsOf(changes);
  const number = runs.findIndex((run) => run.changes.some((change) => change.id === id));
  const run = runs[number];
  const newest = await out.read(changesPagePath());
  if (run === undefined || newest === undefined || !isOwnPage(newest)) return [];
  const memory = decodePageMemory(newest);
  const shown = memory?.excerpts === false ? { ...run, changes: run.changes.map(withoutExcerpts) } : run;
  const made = String(runHtml(shown, { site, isFirst: number === 0 }));
  const pages = [undefined, ...(memory?.sizes.keys() ?? [])];
  for (const page of pages) {
    const path = changesPagePath(page);
    const text = Buffer.from((await out.read(path)) ?? []).toString('utf8');
    const told = runIn(text, runId(run));
    if (told !== undefined && told !== made) return [{ path, bytes: Buffer.from(text.split(told).join(made)) }];
  }
  return [];
}

/** The HTML of the run in the page. */
function runIn(text: string, id: string): string | undefined {
  const start = text.indexOf(`<section class="run" id="${id}">`);
  const end = text.indexOf('</section>\n', start);
  return start === -1 || end === -1 ? undefined : text.slice(start, end + '</section>\n'.length);
}
