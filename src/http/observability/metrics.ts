import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import type { Backups } from '../../domain/backups/backups.ts';
import type { Context } from '../../domain/context.ts';
import { type MailQueue, mailOutcomes } from '../../domain/mail/mail-queue.ts';
import { durationBounds, type RequestMetrics } from './request-metrics.ts';

/** The service's metrics for Prometheus, explained in docs/operating.md. No label contains values chosen by a caller. */
export interface Metrics {
  readonly contentType: string;
  render(): Promise<string>;
  close(): void;
}

const resolutionMs = 10;

type Prometheus = typeof import('prom-client');

/** Created on the first scrape, so that without scraping only the counting costs anything. */
export async function createMetrics(ctx: Context, requestMetrics: RequestMetrics): Promise<Metrics> {
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  addRequests(prometheus, registry, requestMetrics);
  addProcess(prometheus, registry, delays);
  addQueues(prometheus, registry, ctx);
  addMails(prometheus, registry, ctx.mails);
  if (ctx.backups) addBackups(prometheus, registry, ctx.backups.metrics);
  for (const { name, help, type } of ctx.store.metrics()) {
    const add = type === 'counter' ? addCounter : addGauge;
    const read = () => ctx.store.metrics().find((metric) => metric.name === name)?.value ?? 0;
    add(prometheus, registry, { name, help, read });
  }
  return {
    contentType: registry.contentType,
    render: async () => `${await registry.metrics()}\n${formatDurations(requestMetrics)}`,
    close: () => delays.disable(),
  };
}

function addRequests({ Counter }: Prometheus, registry: Registry, requestMetrics: RequestMetrics): void {
  new Counter({
    name: 'promptharbor_requests_total',
    help: 'Completed requests, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { statuses }] of requestMetrics.routes) {
        for (const [status, count] of statuses) this.inc({ route, status }, count);
      }
    },
  });
}

/** As text, because prom-client's histogram cannot import counted buckets. */
function formatDurations({ routes }: RequestMetrics): string {
  const name = 'promptharbor_request_duration_seconds';
  const lines = [`# HELP ${name} Request durations, by route.`, `# TYPE ${name} histogram`];
  for (const [route, { buckets, seconds }] of routes) {
    let count = 0;
    for (const [index, calls] of buckets.entries()) {
      count += calls;
      lines.push(`${name}_bucket{route="${route}",le="${durationBounds[index] ?? '+Inf'}"} ${count}`);
    }
    lines.push(`${name}_sum{route="${route}"} ${seconds}`, `${name}_count{route="${route}"} ${count}`);
  }
  return `${lines.join('\n')}\n`;
}

function addProcess(prometheus: Prometheus, registry: Registry, delays: ELDHistogram): void {
  new prometheus.Gauge({
    name: 'promptharbor_event_loop_delay_seconds',
    help: 'Event loop delay since the last scrape: median, 99th percentile and maximum.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      // Node's measurement includes the sampling interval itself.
      const toSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3);
      this.set({ quantile: '0.5' }, toSeconds(delays.percentile(50)));
      this.set({ quantile: '0.99' }, toSeconds(delays.percentile(99)));
      this.set({ quantile: '1' }, toSeconds(delays.max));
      delays.reset();
    },
  });
  addGauge(prometheus, registry, {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    read: () => process.memoryUsage.rss(),
  });
  addGauge(prometheus, registry, {
    name: 'nodejs_heap_used_bytes',
    help: 'Used JavaScript heap.',
    read: () => process.memoryUsage().heapUsed,
  });
  addCounter(prometheus, registry, {
    name: 'process_cpu_seconds_total',
    help: 'CPU time used by all threads.',
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
  addGauge(prometheus, registry, {
    name: 'process_start_time_seconds',
    help: 'Start time of the process, in seconds since 1970.',
    read: () => Math.round(Date.now() / 1000 - process.uptime()),
  });
}

function addQueues(prometheus: Prometheus, registry: Registry, { hashing, recorder, templates, webhookMetrics }: Context): void {
  addGauge(prometheus, registry, {
    name: 'promptharbor_hashing_waiting',
    help: 'Password checks and hashes waiting in the queue.',
    read: () => hashing.waiting,
  });
  addGauge(prometheus, registry, {
    name: 'promptharbor_templates_waiting',
    help: 'Templates waiting for a child process.',
    read: () => templates.waiting,
  });
  addGauge(prometheus, registry, {
    name: 'promptharbor_statistics_waiting',
    help: 'Counters and account events waiting to be written.',
    read: () => recorder.metrics.waiting,
  });
  addCounter(prometheus, registry, {
    name: 'promptharbor_statistics_dropped_total',
    help: 'Calls and account events dropped because the buffer was full.',
    read: () => recorder.metrics.dropped,
  });
  addCounter(prometheus, registry, {
    name: 'promptharbor_statistics_write_failures_total',
    help: 'Failed writes of the statistics, which are retried.',
    read: () => recorder.metrics.failures,
  });
  addGauge(prometheus, registry, {
    name: 'promptharbor_webhook_deliveries_waiting',
    help: 'Deliveries to webhooks that wait to be sent or retried, of all instances, counted up to 10000.',
    read: () => webhookMetrics.waiting,
  });
  addGauge(prometheus, registry, {
    name: 'promptharbor_webhook_oldest_due_seconds',
    help: 'For how long the oldest due delivery to a webhook has not been attempted.',
    read: () => (webhookMetrics.oldestDueAt === undefined ? 0 : Math.max(0, Date.now() - Date.parse(webhookMetrics.oldestDueAt)) / 1000),
  });
  addCounter(prometheus, registry, {
    name: 'promptharbor_webhook_deliveries_total',
    help: 'Deliveries to webhooks that succeeded.',
    read: () => webhookMetrics.delivered,
  });
  addCounter(prometheus, registry, {
    name: 'promptharbor_webhook_failures_total',
    help: 'Attempts to deliver to a webhook that failed.',
    read: () => webhookMetrics.failed,
  });
}

function addMails(prometheus: Prometheus, registry: Registry, mails: MailQueue): void {
  addGauge(prometheus, registry, {
    name: 'promptharbor_mails_waiting',
    help: 'Mails waiting to be sent or retried.',
    read: () => mails.waiting,
  });
  new prometheus.Counter({
    name: 'promptharbor_mails_total',
    help: 'Mails that were sent, that failed, or that were refused because of a limit, by kind.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, counts] of mails.counts) {
        for (const outcome of mailOutcomes) this.inc({ kind, outcome }, counts[outcome]);
      }
    },
  });
}

function addBackups(prometheus: Prometheus, registry: Registry, metrics: Backups['metrics']): void {
  addGauge(prometheus, registry, {
    name: 'promptharbor_backup_age_seconds',
    help: 'Time since the last verified backup was begun. Infinite if there is none.',
    read: () => (metrics.lastAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Date.now() - metrics.lastAt.getTime()) / 1000),
  });
  addCounter(prometheus, registry, {
    name: 'promptharbor_backup_failures_total',
    help: 'Backups that failed.',
    read: () => metrics.failures,
  });
}

interface MetricOptions {
  name: string;
  help: string;
  read(): number;
}

function addGauge({ Gauge }: Prometheus, registry: Registry, { name, help, read }: MetricOptions): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

function addCounter({ Counter }: Prometheus, registry: Registry, { name, help, read }: MetricOptions): void {
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
