/** From a twentieth of a millisecond, which a 304 takes, to what a reader still waits for. */
const BOUNDS = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];
const NAME = 'tidings_http_request_duration_seconds';
const HELP = 'From the request being read to its answer being handed to the socket.';

/** How long the requests of one route took. */
export class RouteSeconds {
  readonly #route: string;
  /** How many took at most as long as the bound at the same index, and longer than the previous bound. */
  readonly #counts: number[] = BOUNDS.map(() => 0);
  #sum = 0;
  #count = 0;

  constructor(route: string) {
    this.#route = route;
  }

  observe(seconds: number): void {
    this.#sum += seconds;
    this.#count += 1;
    for (let at = 0; at < BOUNDS.length; at += 1) {
      if (seconds > (BOUNDS[at] ?? 0)) continue;
      this.#counts[at] = (this.#counts[at] ?? 0) + 1;
      return;
    }
  }

  /** None of a route that nobody asked for. */
  lines(): string[] {
    if (this.#count === 0) return [];
    const route = `route="${this.#route}"`;
    let total = 0;
    const buckets = BOUNDS.map((bound, at) => {
      total += this.#counts[at] ?? 0;
      return `${NAME}_bucket{le="${bound}",${route}} ${total}`;
    });
    const infinite = `${NAME}_bucket{le="+Inf",${route}} ${this.#count}`;
    return [...buckets, infinite, `${NAME}_sum{${route}} ${this.#sum}`, `${NAME}_count{${route}} ${this.#count}`];
  }
}

/**
 * The histogram of all routes in the text format of Prometheus.
 *
 * It is not one of prom-client's: that finds its series by their labels for every request, which costs a tenth of a 304.
 */
export function renderRouteSeconds(routes: readonly RouteSeconds[]): string {
  const lines = routes.flatMap((route) => route.lines());
  return `# HELP ${NAME} ${HELP}\n# TYPE ${NAME} histogram\n${lines.map((line) => `${line}\n`).join('')}`;
}
