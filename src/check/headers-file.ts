/**
 * The `_headers` file of Netlify, Cloudflare Pages and others: paths at the margin, their headers indented.
 *
 *     /ai-changes.ndjson
 *       Content-Type: application/x-ndjson
 *     /blog/*
 *       Cache-Control: max-age=60
 *
 * Spec: https://docs.netlify.com/manage/routing/headers/#syntax-for-the-headers-file
 */

export interface HeadersFileRule {
  /** A path, or a URL of which only the path counts; with `*` and `:name` as wildcards. */
  readonly pattern: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export function parseHeadersFile(text: string): HeadersFileRule[] {
  const rules: { pattern: string; headers: Record<string, string> }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    if (!/^\s/.test(line)) {
      rules.push({ pattern: content.replace(/^https?:\/\/[^/]*/i, ''), headers: Object.create(null) });
      continue;
    }
    const colon = content.indexOf(':');
    const rule = rules.at(-1);
    if (rule === undefined || colon < 1) continue;
    rule.headers[content.slice(0, colon).trim().toLowerCase()] = content.slice(colon + 1).trim();
  }
  return rules;
}

/**
 * The headers of a path; of two rules for one header the later one applies. Undefined if no rule names a media type: then the host guesses it, which
 * the folder does not show.
 *
 * A pattern also matches if only its end equals the path: the folder may be served below the root of its host.
 */
export function headersFor(rules: readonly HeadersFileRule[], path: string): Record<string, string> | undefined {
  const headers: Record<string, string> = Object.create(null);
  for (const rule of rules) if (matches(rule.pattern, path)) Object.assign(headers, rule.headers);
  return headers['content-type'] === undefined ? undefined : headers;
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith(path) || matchesParts(pattern.split('*'), path);
}

/** Each `*` matches any text; the parts between them are matched from left to right, without backtracking. */
function matchesParts([first = '', ...others]: readonly string[], path: string): boolean {
  const start = literalLength(first, path, 0);
  if (start === undefined) return false;
  let at = start;
  for (const [index, part] of others.entries()) {
    if (index === others.length - 1) return part === '' || path.slice(at).endsWith(part);
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at === path.length;
}

/** How far `part` matches at `at`; `:name` matches one whole segment. */
function literalLength(part: string, path: string, at: number): number | undefined {
  let end = at;
  for (const piece of part.split(/(:[A-Za-z]\w*)/)) {
    if (piece.startsWith(':') && piece.length > 1) {
      const slash = path.indexOf('/', end);
      const next = slash === -1 ? path.length : slash;
      if (next === end) return undefined;
      end = next;
    } else {
      if (!path.startsWith(piece, end)) return undefined;
      end += piece.length;
    }
  }
  return end;
}
