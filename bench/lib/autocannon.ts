/** The load generator where wrk is not installed: a process of its own, told what to do by the environment. */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { Load, Measured } from './load.ts';

// Written by load.ts, which starts this process.
const load = JSON.parse(process.env.LOAD ?? '') as Load & { url: string };
const keys = load.keysFile ? readFileSync(load.keysFile, 'utf8').trim().split('\n') : [];
const randomKey = () => keys[Math.floor(Math.random() * keys.length)];

const { method, path, body, headers } = load;
const result = await autocannon({
  url: load.url,
  connections: load.connections,
  duration: load.seconds,
  requests: [
    {
      // autocannon lists the methods it takes; ours come from the parts of this bench.
      method: method as 'GET',
      path,
      ...(body !== undefined && { body }),
      setupRequest: (request) => ({
        ...request,
        headers: { ...headers, ...(keys.length > 0 && { authorization: `Bearer ${randomKey()}` }) },
      }),
    },
  ],
});
const measured: Measured = {
  requestsPerSecond: result.requests.average,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  failures: result.non2xx - (result.statusCodeStats?.['304']?.count ?? 0) + result.errors,
};
process.stdout.write(JSON.stringify(measured));
