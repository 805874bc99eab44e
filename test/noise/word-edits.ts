import { editTexts } from './markup.ts';

/**
 * Versions of a page in which one word of its main content is another one.
 *
 * The words are taken where a run of the known content stands in one text of the body, and in no other, so that
 * it is certain that the edit is one of content.
 */
export function wordEdits(html: string, content: string, wanted: number): string[] {
  const runs = content.split('\n').flatMap((line) => line.match(/[\p{L}]+(?: [\p{L}]+){4,8}/gu) ?? []);
  const versions: string[] = [];
  const step = Math.max(1, Math.floor(runs.length / (wanted * 4)));
  for (let at = 0; at < runs.length && versions.length < wanted; at += step) {
    const run = runs[at] ?? '';
    const version = html.includes(run) ? editOnce(html, run) : undefined;
    if (version !== undefined) versions.push(version);
  }
  return versions;
}

function editOnce(html: string, run: string): string | undefined {
  const other = run.replace(/^([\p{L}]+ [\p{L}]+) [\p{L}]+/u, '$1 quibble');
  const body = html.search(/<body\b/i);
  let places = 0;
  const edited = editTexts(html.slice(body), (text) => {
    places += text.split(run).length - 1;
    return text.replace(run, other);
  });
  return places === 1 ? html.slice(0, body) + edited : undefined;
}
