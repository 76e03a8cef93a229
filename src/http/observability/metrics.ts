import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Context } from '../../domain/context.ts';
import { mailOutcomes } from '../../domain/mail/mail-queue.ts';
import { describeBuild } from '../../version.ts';
import { durationBounds, type RequestMetrics } from './request-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

interface Metric {
  name: string;
  help: string;
  type: 'gauge' | 'counter' | 'histogram';
  samples: Sample[];
}

interface Sample {
  /** The suffix of the metric's name. */
  suffix?: string;
  labels?: Record<string, string | number>;
  value: number;
}

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

const resolutionMs = 10;

/**
 * The service's metrics for Prometheus, explained in docs/operating.md. No label contains values that callers choose. The metrics are
 * created at the first scrape, so that a service that is never scraped only pays for the counting.
 */
export function createMetrics(ctx: Context, requestMetrics: RequestMetrics) {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const build = buildMetric();
  return {
    render: (): string =>
      [
        build,
        ...requestMetricsOf(requestMetrics),
        delayMetric(delays),
        ...processMetrics(),
        ...queueMetrics(ctx),
        ...mailMetrics(ctx),
        ...backupMetrics(ctx),
        ...ctx.store.metrics().map(({ value, ...metric }) => ({ ...metric, samples: [{ value }] })),
      ]
        .map(format)
        .join('\n'),
    close: () => delays.disable(),
  };
}

/** Formats a metric in Prometheus' text format. Names and labels need no escaping. */
function format({ name, help, type, samples }: Metric): string {
  const lines = samples.map(({ suffix = '', labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    const number = value === Number.POSITIVE_INFINITY ? '+Inf' : value;
    return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${number}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', samples: [{ value }] };
}

function counter(name: string, help: string, value: number): Metric {
  return { name, help, type: 'counter', samples: [{ value }] };
}

function requestMetricsOf({ routes }: RequestMetrics): Metric[] {
  const counts = [...routes].flatMap(([route, { statuses }]) =>
    [...statuses].map(([status, value]) => ({ labels: { route, status }, value })),
  );
  const durations = [...routes].flatMap(([route, { buckets, seconds }]) => {
    let count = 0;
    const cumulative = buckets.map((calls, index) => {
      count += calls;
      return { suffix: '_bucket', labels: { route, le: durationBounds[index] ?? '+Inf' }, value: count };
    });
    return [...cumulative, { suffix: '_sum', labels: { route }, value: seconds }, { suffix: '_count', labels: { route }, value: count }];
  });
  return [
    { name: 'promptharbor_requests_total', help: 'Completed requests, by route and status.', type: 'counter', samples: counts },
    { name: 'promptharbor_request_duration_seconds', help: 'Request durations, by route.', type: 'histogram', samples: durations },
  ];
}

/** Returns a metric whose labels describe the running build. Its value is always 1. */
function buildMetric(): Metric {
  const help = 'The version, the commit and the form (source, npm, executable or image) of the service.';
  return { name: 'promptharbor_build_info', help, type: 'gauge', samples: [{ labels: describeBuild(), value: 1 }] };
}

function delayMetric(delays: ELDHistogram): Metric {
  // The sampling interval is subtracted, because Node's measurement includes it.
  const toSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3);
  const samples = [
    { labels: { quantile: '0.5' }, value: toSeconds(delays.percentile(50)) },
    { labels: { quantile: '0.99' }, value: toSeconds(delays.percentile(99)) },
    { labels: { quantile: '1' }, value: toSeconds(delays.max) },
  ];
  delays.reset();
  const help = 'Event loop delay since the last scrape: median, 99th percentile and maximum.';
  return { name: 'promptharbor_event_loop_delay_seconds', help, type: 'gauge', samples };
}

function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  return [
    gauge('process_resident_memory_bytes', 'Resident memory.', rss),
    gauge('nodejs_heap_used_bytes', 'Used JavaScript heap.', heapUsed),
    counter('process_cpu_seconds_total', 'CPU time used by all threads.', (user + system) / 1e6),
    gauge('process_start_time_seconds', 'Start time of the process, in seconds since 1970.', startedAt),
  ];
}

function queueMetrics({ hashing, recorder: { metrics: statistics }, templates, webhookMetrics }: Context): Metric[] {
  const { waiting, oldestDueAt, delivered, failed } = webhookMetrics;
  const lateSeconds = oldestDueAt === undefined ? 0 : secondsSince(Date.parse(oldestDueAt));
  const waitingHelp = 'Webhook deliveries waiting to be sent or retried, across all instances, counted up to 10000.';
  const lateHelp = 'How long the oldest due webhook delivery has been waiting.';
  const droppedHelp = 'Calls and account events dropped because the buffer was full.';
  const failuresHelp = 'Failed writes of statistics, which are retried.';
  return [
    gauge('promptharbor_hashing_waiting', 'Password checks and hashes waiting in the queue.', hashing.waiting),
    gauge('promptharbor_templates_waiting', 'Templates waiting for a child process.', templates.waiting),
    gauge('promptharbor_statistics_waiting', 'Counters and account events waiting to be written.', statistics.waiting),
    counter('promptharbor_statistics_dropped_total', droppedHelp, statistics.dropped),
    counter('promptharbor_statistics_write_failures_total', failuresHelp, statistics.failures),
    gauge('promptharbor_webhook_deliveries_waiting', waitingHelp, waiting),
    gauge('promptharbor_webhook_oldest_due_seconds', lateHelp, lateSeconds),
    counter('promptharbor_webhook_deliveries_total', 'Successful webhook deliveries.', delivered),
    counter('promptharbor_webhook_failures_total', 'Failed webhook delivery attempts.', failed),
  ];
}

function mailMetrics({ mails }: Context): Metric[] {
  const samples = [...mails.counts].flatMap(([kind, counts]) =>
    mailOutcomes.map((outcome) => ({ labels: { kind, outcome }, value: counts[outcome] })),
  );
  const help = 'Emails that were sent, failed or were refused because of a limit, by kind.';
  return [
    gauge('promptharbor_mails_waiting', 'Emails waiting to be sent or retried.', mails.waiting),
    { name: 'promptharbor_mails_total', help, type: 'counter', samples },
  ];
}

function backupMetrics({ backups }: Context): Metric[] {
  if (!backups) return [];
  const { lastAt, failures } = backups.metrics;
  const ageSeconds = lastAt === undefined ? Number.POSITIVE_INFINITY : secondsSince(lastAt.getTime());
  return [
    gauge('promptharbor_backup_age_seconds', 'Time since the last verified backup was started. Infinite if there is none.', ageSeconds),
    counter('promptharbor_backup_failures_total', 'Backups that failed.', failures),
  ];
}

function secondsSince(ms: number): number {
  return Math.max(0, Date.now() - ms) / 1000;
}
