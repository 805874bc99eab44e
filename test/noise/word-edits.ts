/**
 * Versions of a page in which one word of its main content is another one.
 *
 * The words are taken where a long run of the known content stands in the source once, without markup between, so that
 * it is certain that the edit is one of content.
 */
export function wordEdits(html: string, content: string, wanted: number): string[] {
  const lines = content.split('\n').map((line) => line.trim());
  const runs = lines.flatMap((line) => line.match(/[\p{L}]+(?: [\p{L}]+){5,9}/gu) ?? []);
  const versions: string[] = [];
  const step = Math.max(1, Math.floor(runs.length / (wanted * 4)));
  for (let at = 0; at < runs.length && versions.length < wanted; at += step) {
    const run = runs[at] ?? '';
    const place = html.indexOf(run);
    if (place === -1 || html.indexOf(run, place + 1) !== -1 || !isText(html, place)) continue;
    versions.push(
      html.slice(0, place) +
        run.replace(/^([\p{L}]+ [\p{L}]+) [\p{L}]+/u, '$1 quibble') +
        html.slice(place + run.length),
    );
  }
  return versions;
}

/** Outside tags, scripts and the head. */
function isText(html: string, place: number): boolean {
  if (html.lastIndexOf('<', place) > html.lastIndexOf('>', place)) return false;
  const before = html.slice(0, place);
  if (before.search(/<body\b/i) === -1) return false;
  const opened = Math.max(before.lastIndexOf('<script'), before.lastIndexOf('<style'), before.lastIndexOf('<noscript'));
  return opened === -1 || /<\/(?:script|style|noscript)/i.test(html.slice(opened, place));
}
