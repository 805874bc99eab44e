import type { Route } from './route.ts';

/** What may be asked of a path. */
export interface RoutePathOptions {
  /** For `Allow`, in order of the alphabet. */
  readonly methods: readonly string[];
  /** What scripts of other origins may ask; empty when they may not. */
  readonly corsMethods: readonly string[];
  /** Whether a token is of use to such a script. */
  readonly corsToken: boolean;
}

/** Finds what a path offers, for requests with a method that it does not. Undefined: no route has that path. */
export function mapRoutes(routes: readonly Route[]): (path: string) => RoutePathOptions | undefined {
  const patterns = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  return (path) => {
    const found = patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
    if (found.length === 0) return undefined;
    const cors = found.filter((route) => route.cors === true);
    return {
      methods: methodsOf(found, cors.length > 0),
      corsMethods: cors.length > 0 ? methodsOf(cors, false) : [],
      corsToken: cors.some(({ access }) => access !== 'open'),
    };
  };
}

function methodsOf(routes: readonly Route[], hasOptions: boolean): string[] {
  const methods = routes.flatMap(({ method, withoutHead }) =>
    method === 'GET' && !withoutHead ? ['GET', 'HEAD'] : [method],
  );
  return [...new Set(hasOptions ? [...methods, 'OPTIONS'] : methods)].sort();
}

/** Of `/aicf/:file`. A `*` stands at the end only. */
function patternOf(path: string): RegExp {
  const segments = path.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    return segment === '*' ? '.*' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
