import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metric, Registry } from 'prom-client';
import type { Context } from '../../domain/context.ts';
import { durationBounds, type RequestMetrics } from './request-metrics.ts';

/** The service's metrics for Prometheus. docs/operating.md explains each; no label takes values that a caller chooses. */
export interface Metrics {
  readonly contentType: string;
  render(): Promise<string>;
  close(): void;
}

const resolutionMs = 10;

type Prometheus = typeof import('prom-client');

/** Made on the first scrape: who never scrapes pays for nothing but the counting. */
export async function createMetrics(ctx: Context, requestMetrics: RequestMetrics): Promise<Metrics> {
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  addRequests(prometheus, registry, requestMetrics);
  addProcess(prometheus, registry, delays);
  addQueues(prometheus, registry, ctx);
  for (const { name, help, type } of ctx.store.metrics()) {
    const add = type === 'counter' ? addCounter : addGauge;
    add(prometheus, registry, name, help, () => ctx.store.metrics().find((metric) => metric.name === name)?.value ?? 0);
  }
  return { contentType: registry.contentType, render: () => registry.metrics(), close: () => delays.disable() };
}

function addRequests({ Counter }: Prometheus, registry: Registry, requestMetrics: RequestMetrics): void {
  new Counter({
    name: 'promptharbor_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { statuses }] of requestMetrics.routes) {
        for (const [status, count] of statuses) this.inc({ route, status }, count);
      }
    },
  });
  const name = 'promptharbor_request_duration_seconds';
  const histogram = {
    name,
    get: async () => ({ name, help: 'How long requests took, by route.', type: 'histogram', values: toHistogram(name, requestMetrics) }),
  };
  // prom-client's own histogram can only be fed one duration at a time; a registry asks a metric for no more than these two.
  registry.registerMetric(histogram as unknown as Metric);
}

function toHistogram(name: string, requestMetrics: RequestMetrics) {
  return [...requestMetrics.routes].flatMap(([route, { buckets, seconds }]) => {
    let count = 0;
    const cumulative = buckets.map((calls, index) => {
      count += calls;
      return { metricName: `${name}_bucket`, labels: { route, le: durationBounds[index] ?? '+Inf' }, value: count };
    });
    return [
      ...cumulative,
      { metricName: `${name}_sum`, labels: { route }, value: seconds },
      { metricName: `${name}_count`, labels: { route }, value: count },
    ];
  });
}

function addProcess(prometheus: Prometheus, registry: Registry, delays: ELDHistogram): void {
  new prometheus.Gauge({
    name: 'promptharbor_event_loop_delay_seconds',
    help: 'How late the event loop was since the last scrape: median, 99th percentile and longest.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      // Node measures from one look to the next, the pause between them included.
      const toSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3);
      this.set({ quantile: '0.5' }, toSeconds(delays.percentile(50)));
      this.set({ quantile: '0.99' }, toSeconds(delays.percentile(99)));
      this.set({ quantile: '1' }, toSeconds(delays.max));
      delays.reset();
    },
  });
  addGauge(prometheus, registry, 'process_resident_memory_bytes', 'Memory the process holds.', () => process.memoryUsage.rss());
  addGauge(prometheus, registry, 'nodejs_heap_used_bytes', 'Memory that JavaScript objects take.', () => process.memoryUsage().heapUsed);
  addCounter(prometheus, registry, 'process_cpu_seconds_total', 'Processor time used, of all threads.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  addGauge(prometheus, registry, 'process_start_time_seconds', 'When the process started, in seconds since 1970.', () =>
    Math.round(Date.now() / 1000 - process.uptime()),
  );
}

function addQueues(prometheus: Prometheus, registry: Registry, { hashing, recorder }: Context): void {
  addGauge(prometheus, registry, 'promptharbor_hashing_waiting', 'Passwords that wait to be hashed or checked.', () => hashing.waiting);
  addGauge(
    prometheus,
    registry,
    'promptharbor_statistics_waiting',
    'Counters and account events that wait to be written.',
    () => recorder.metrics.waiting,
  );
  addCounter(
    prometheus,
    registry,
    'promptharbor_statistics_dropped_total',
    'Calls and account events not recorded for lack of room.',
    () => recorder.metrics.dropped,
  );
  addCounter(
    prometheus,
    registry,
    'promptharbor_statistics_write_failures_total',
    'Writes of the statistics that failed and were tried again.',
    () => recorder.metrics.failures,
  );
}

function addGauge({ Gauge }: Prometheus, registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

function addCounter({ Counter }: Prometheus, registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
