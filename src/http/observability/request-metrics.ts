import type { UsageRecorder } from '../../domain/statistics/usage-recorder.ts';
import type { RequestObserver } from './completed-request.ts';

export type RequestMetrics = ReturnType<typeof createRequestMetrics>;

interface RouteMetrics {
  readonly statuses: Map<number, number>;
  /**
   * The number of requests per bucket. A bucket counts the durations that exceed the previous bucket's bound, but not its own bound in
   * `durationBounds`. The last bucket has no upper bound.
   */
  readonly buckets: number[];
  seconds: number;
}

/** The upper bounds of the buckets, in seconds. */
export const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts requests by route and status, and durations by route, for the operator's metrics. The counters are plain numbers, so that counting
 * is cheap.
 */
export function createRequestMetrics() {
  const routes = new Map<string, RouteMetrics>();
  return {
    routes,
    count(route: string, status: number, durationMs: number): void {
      let metrics = routes.get(route);
      if (!metrics) {
        metrics = { statuses: new Map(), buckets: Array<number>(durationBounds.length + 1).fill(0), seconds: 0 };
        routes.set(route, metrics);
      }
      const seconds = durationMs / 1000;
      metrics.seconds += seconds;
      metrics.statuses.set(status, (metrics.statuses.get(status) ?? 0) + 1);
      let bucket = 0;
      while (bucket < durationBounds.length && seconds > (durationBounds[bucket] ?? 0)) bucket += 1;
      metrics.buckets[bucket] = (metrics.buckets[bucket] ?? 0) + 1;
    },
  };
}

/** Counts every request for the operator and, if it was made with a key, for the workspace. */
export function createRequestCounter(metrics: RequestMetrics, recorder: UsageRecorder): RequestObserver {
  return (requests) => {
    for (const { method, route: pattern, status, durationMs, accountId, workspaceId, keySerial, servedPrompt } of requests) {
      const route = routeNameOf(method, pattern);
      metrics.count(route, status, durationMs);
      if (accountId === undefined || workspaceId === undefined || keySerial === undefined) continue;
      recorder.countCall({ workspaceId, accountId, keySerial, route, status, durationMs, servedPrompt });
    }
  };
}

/**
 * Returns the method and path pattern, such as `GET /api/prompts/{name}`. The names are cached, because there are only a few and every
 * request needs one.
 */
function routeNameOf(method: string, route: string | undefined): string {
  if (route === undefined) return 'none';
  let byRoute = names.get(method);
  if (!byRoute) {
    byRoute = new Map();
    names.set(method, byRoute);
  }
  let name = byRoute.get(route);
  if (name === undefined) {
    name = `${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`;
    byRoute.set(route, name);
  }
  return name;
}

const names = new Map<string, Map<string, string>>();
