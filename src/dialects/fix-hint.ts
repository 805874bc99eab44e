/** What to write, and where, to satisfy a clause; or why there is nothing to write. */
export type FixHint = WrittenHint | { readonly none: string };

export interface WrittenHint {
  /** The file, header or setting to change. */
  readonly where: string;
  /** Lines to copy, with example values. */
  readonly write: string;
}

/** Keyed by clause (`AICF-D2`) or by a common prefix (`AICF-D*`); the longest match applies. */
export type FixHints = Readonly<Record<string, FixHint>>;

/** Undefined if the table has no entry for a clause. */
export function hintFor(hints: FixHints, clause: string): FixHint | undefined {
  if (Object.hasOwn(hints, clause)) return hints[clause];
  const fitting = Object.keys(hints).filter((key) => key.endsWith('*') && clause.startsWith(key.slice(0, -1)));
  const [longest] = fitting.sort((one, other) => other.length - one.length);
  return longest === undefined ? undefined : hints[longest];
}

/** For obligations that `check` cannot find broken from outside. */
export const OF_READERS: FixHint = { none: 'It binds those who read, so that a site cannot break it.' };
export const OF_OPERATION: FixHint = { none: 'It is about how the service is run, which nobody sees from outside.' };

/** Header rules for static hosts, and the same for nginx. */
export function headerHint(path: string, ...headers: readonly (readonly [name: string, value: string])[]): FixHint {
  const rules = headers.map(([name, value]) => `  ${name}: ${value}`).join('\n');
  const added = headers.map(([name, value]) =>
    name === 'Content-Type'
      ? `types { } default_type "${value}";`
      : `add_header ${name} "${value.replaceAll('"', '\\"')}";`,
  );
  return {
    where: '`_headers` of Netlify, Cloudflare Pages and others; below it the same for nginx',
    write: `${path}\n${rules}\n\nlocation = ${path} { ${added.join(' ')} }`,
  };
}

/** For a host that creates validators itself. */
export const ETAG_HINT: FixHint = {
  where: 'the server, on the answer itself; nginx: `etag on;`, Apache: `FileETag MTime Size`',
  write: 'ETag: "<a hash of the bytes>"',
};
