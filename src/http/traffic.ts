import type { Recorder } from '../domain/recorder.ts';
import type { Observer } from './observer.ts';
import { routeNameOf } from './route-name.ts';

/** What the operator watches of all requests: counts by route and status, and durations by route. Kept by plain numbers, since every request pays for it. */
export interface Traffic {
  readonly routes: ReadonlyMap<string, RouteTraffic>;
  count(route: string, status: number, durationMs: number): void;
}

export interface RouteTraffic {
  readonly statuses: Map<number, number>;
  /** How many took no longer than each of `durationBounds` but longer than the one before; the last: longer than all. */
  readonly buckets: number[];
  seconds: number;
}

export const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createTraffic(): Traffic {
  const routes = new Map<string, RouteTraffic>();
  return {
    routes,
    count(route, status, durationMs) {
      let traffic = routes.get(route);
      if (!traffic) {
        traffic = { statuses: new Map(), buckets: Array<number>(durationBounds.length + 1).fill(0), seconds: 0 };
        routes.set(route, traffic);
      }
      const seconds = durationMs / 1000;
      traffic.seconds += seconds;
      traffic.statuses.set(status, (traffic.statuses.get(status) ?? 0) + 1);
      let bucket = 0;
      while (bucket < durationBounds.length && seconds > (durationBounds[bucket] ?? 0)) bucket += 1;
      traffic.buckets[bucket] = (traffic.buckets[bucket] ?? 0) + 1;
    },
  };
}

/** Counts every answer for the operator and, where it was made with a key, for the account. */
export function createCounting(traffic: Traffic, recorder: Recorder): Observer {
  return (answered) => {
    for (const { method, route: pattern, status, durationMs, accountId, keySerial, served } of answered) {
      const route = routeNameOf(method, pattern);
      traffic.count(route, status, durationMs);
      if (accountId === undefined || keySerial === undefined) continue;
      recorder.countCall({ accountId, keySerial, route, status, durationMs, served });
    }
  };
}
