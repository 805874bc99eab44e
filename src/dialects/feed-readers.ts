import type { Dialect } from './dialect.ts';
import type { FeedReader } from './reader.ts';

/** The dialect with this name or alias, among those that have a reader. */
export function dialectNamed(dialects: readonly Dialect[], name: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.reader !== undefined && namesOf(dialect).includes(name));
}

/** All names that a user can give for the dialect of a feed. */
export function feedDialects(dialects: readonly Dialect[]): readonly string[] {
  return dialects.flatMap((dialect) => (dialect.reader === undefined ? [] : namesOf(dialect)));
}

export async function readersOf(
  dialects: readonly Dialect[],
): Promise<readonly { readonly name: string; readonly reader: FeedReader }[]> {
  const loaded = dialects.map(async ({ name, reader }) =>
    reader === undefined ? [] : [{ name, reader: await reader() }],
  );
  return (await Promise.all(loaded)).flat();
}

function namesOf({ name, aliases = [] }: Dialect): readonly string[] {
  return [name, ...aliases];
}
