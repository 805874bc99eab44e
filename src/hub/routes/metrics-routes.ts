import type { Route } from '../http/route.ts';

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The metrics of the hub, in the text format of Prometheus. */
export function metricsRoutes(render: () => string | Promise<string>): Route[] {
  return [
    {
      method: 'GET',
      path: '/metrics',
      access: 'open',
      summary: 'Metrics for Prometheus.',
      responses: { 200: 'The metrics.' },
      answer: { mediaType: METRICS_TYPE },
      handle: async () => ({
        status: 200,
        headers: { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' },
        body: await render(),
      }),
    },
  ];
}
