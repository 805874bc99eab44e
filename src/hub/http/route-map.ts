import type { Route } from './route.ts';

/** What a path allows. */
export interface RoutePathOptions {
  /** For `Allow`, in alphabetical order. */
  readonly methods: readonly string[];
  /** The methods for scripts of other origins; empty if there are none. */
  readonly corsMethods: readonly string[];
  /** Whether such a script can use a token. */
  readonly corsToken: boolean;
}

/** Finds what a path offers, for requests with a method that it does not support. Undefined: no route has that path. */
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

/** A pattern for `/aicf/:file`. A `*` is allowed only at the end. */
function patternOf(path: string): RegExp {
  const segments = path.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    return segment === '*' ? '.*' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
