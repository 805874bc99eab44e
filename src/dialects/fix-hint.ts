/** What to write where, so that a clause holds; or why there is nothing to write. */
export type FixHint = WrittenHint | { readonly none: string };

export interface WrittenHint {
  /** The file, header or setting that it belongs into. */
  readonly where: string;
  /** Lines to take over, with example values. */
  readonly write: string;
}

/** By clause (`AICF-D2`), or by the beginning of several (`AICF-D*`): the longest one that fits counts. */
export type FixHints = Readonly<Record<string, FixHint>>;

/** Undefined where the table says nothing of a clause. */
export function hintFor(hints: FixHints, clause: string): FixHint | undefined {
  if (Object.hasOwn(hints, clause)) return hints[clause];
  const fitting = Object.keys(hints).filter((key) => key.endsWith('*') && clause.startsWith(key.slice(0, -1)));
  const [longest] = fitting.sort((one, other) => other.length - one.length);
  return longest === undefined ? undefined : hints[longest];
}

/** Obligations that `check` cannot find broken from outside. */
export const OF_READERS: FixHint = { none: 'It binds those who read, so that a site cannot break it.' };
export const OF_OPERATION: FixHint = { none: 'It is about how the service is run, which nobody sees from outside.' };

/** Rules for static hosts, with the same for nginx. */
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

/** Of a host that makes validators by itself. */
export const ETAG_HINT: FixHint = {
  where: 'the server, on the answer itself; nginx: `etag on;`, Apache: `FileETag MTime Size`',
  write: 'ETag: "<a hash of the bytes>"',
};
