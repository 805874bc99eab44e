import type { RunningHub } from '../../src/doors/hub.ts';
import { LAB_TOKEN } from './browser-lab.ts';

interface Described {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly responses: Readonly<Record<string, { readonly content?: object }>> } }>
  >;
}

/** Values for the parameters in the path of a page. */
type Names = Readonly<Record<string, readonly string[]>>;

/** Every page for people in the hub's own description, so that none can be forgotten. */
export async function pagesOf(hub: RunningHub, names: Names): Promise<readonly string[]> {
  const answer = await fetch(new URL('openapi.json', hub.url), { headers: { authorization: `Bearer ${LAB_TOKEN}` } });
  const { paths } = (await answer.json()) as Described;
  const pages = Object.entries(paths).flatMap(([path, { get }]) =>
    Object.keys(get?.responses['200']?.content ?? {}).some((type) => type.startsWith('text/html'))
      ? [path.slice(1)]
      : [],
  );
  return pages.flatMap((path) => filled(path, names));
}

function filled(path: string, names: Names): readonly string[] {
  const [hole, kind = ''] = /([a-z-]+)\/\{\w+\}/.exec(path) ?? [];
  if (hole === undefined) return [path];
  const values = names[kind];
  if (values === undefined) throw new Error(`Nobody says what ${path} is opened with.`);
  return values.map((value) => path.replace(/\{\w+\}/, encodeURIComponent(value)));
}
