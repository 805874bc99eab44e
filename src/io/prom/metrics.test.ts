import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { HubFigures } from '../../hub/watch/metrics.ts';
import { createPromMetrics } from './metrics.ts';

const FIGURES: HubFigures = {
  sources: { ok: 3, degraded: 1, error: 0, disabled: 2 },
  logSeq: 41,
  feedSeq: 40,
  dueLagSeconds: 1.5,
  storeWritable: true,
  runningChecks: 4,
};

test('requests are counted by route, method and status, once however often they are scraped', async () => {
  const metrics = createPromMetrics();
  const route = metrics.route('/aicf/:file');
  route.answered('GET', 200, 0.02);
  for (let count = 0; count < 3; count += 1) route.answered('GET', 304, 0.0002);
  await metrics.render();
  route.answered('HEAD', 304, 0.0002);
  route.answered('GET', 304, 0.0002);
  const text = await metrics.render();
  expect(text).toContain('tidings_http_requests_total{route="/aicf/:file",method="GET",status="200"} 1\n');
  expect(text).toContain('tidings_http_requests_total{route="/aicf/:file",method="GET",status="304"} 4\n');
  expect(text).toContain('tidings_http_requests_total{route="/aicf/:file",method="HEAD",status="304"} 1\n');
  expect(text).toContain('tidings_http_request_duration_seconds_bucket{le="0.00025",route="/aicf/:file"} 5\n');
  expect(text).toContain('tidings_http_request_duration_seconds_bucket{le="0.05",route="/aicf/:file"} 6\n');
  expect(text).toContain('tidings_http_request_duration_seconds_count{route="/aicf/:file"} 6\n');
  expect(metrics.contentType).toContain('text/plain; version=0.0.4');
});

test('durations are told as a histogram of prom-client tells them', async () => {
  const register = new Registry();
  const buckets = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];
  const name = 'tidings_http_request_duration_seconds';
  const help = 'From the request being read to its answer being handed to the socket.';
  const peer = new Histogram({ name, help, labelNames: ['route'], buckets, registers: [register] });
  const metrics = createPromMetrics();
  for (const path of ['/a', '/never', '/b/:file', '/a']) {
    const { answered } = metrics.route(path);
    if (path === '/never') continue;
    for (const seconds of [0, 0.00005, 0.000050001, 0.1, 0.3, 29.9, 30, 31]) {
      answered('GET', 200, seconds);
      peer.observe({ route: path }, seconds);
    }
  }
  expect(await metrics.render()).toContain(`\n\n${await register.metrics()}`);
});

test('checks and changes are counted', async () => {
  const metrics = createPromMetrics();
  metrics.checked('site', 'ok', 3);
  metrics.checked('site', 'error', 31);
  metrics.changed('update', 7);
  const text = await metrics.render();
  expect(text).toContain('tidings_checks_total{kind="site",outcome="ok"} 1\n');
  expect(text).toContain('tidings_checks_total{kind="site",outcome="error"} 1\n');
  expect(text).toContain('tidings_check_duration_seconds_sum{kind="site"} 34\n');
  expect(text).toContain('tidings_changes_total{action="update"} 7\n');
  expect(text).toContain('tidings_changes_total{action="delete"} 0\n');
});

test('gauges ask how the hub stands when they are scraped', async () => {
  const metrics = createPromMetrics();
  let figures = FIGURES;
  let reads = 0;
  metrics.watch(() => {
    reads += 1;
    return figures;
  });
  expect(await metrics.render()).toContain('tidings_sources{status="ok"} 3\n');
  figures = { ...FIGURES, sources: { ...FIGURES.sources, ok: 0 }, storeWritable: false };
  const text = await metrics.render();
  expect(reads).toBe(2);
  expect(text).toContain('tidings_sources{status="ok"} 0\n');
  expect(text).toContain('tidings_sources{status="disabled"} 2\n');
  expect(text).toMatch(/^tidings_log_seq 41$/m);
  expect(text).toMatch(/^tidings_feed_seq 40$/m);
  expect(text).toMatch(/^tidings_due_lag_seconds 1\.5$/m);
  expect(text).toMatch(/^tidings_store_writable 0$/m);
  expect(text).toMatch(/^tidings_running_checks 4$/m);
});

test('two hubs in one process do not mix, and each has the figures of the process', async () => {
  const [one, other] = [createPromMetrics(), createPromMetrics()];
  one.changed('create', 5);
  expect(await other.render()).toContain('tidings_changes_total{action="create"} 0\n');
  for (const metrics of [one, other]) expect(await metrics.render()).toMatch(/^process_resident_memory_bytes \d+$/m);
});
