/** The load generator for machines without wrk. load.ts runs it as a separate process and passes the load in LOAD. */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { type Load, type Measured, randomNumber } from './load.ts';

// load.ts sets this variable.
const load = JSON.parse(process.env.LOAD ?? '') as Load & { url: string };
const keys = load.keysFile ? readFileSync(load.keysFile, 'utf8').trim().split('\n') : [];
const randomKey = () => keys[Math.floor(Math.random() * keys.length)];

const { method, path, body, headers } = load;
const isRandom = path.includes(randomNumber);
const result = await autocannon({
  url: load.url,
  connections: load.connections,
  duration: load.seconds,
  requests: [
    {
      // autocannon's type lists all methods, including those of the benchmarks.
      method: method as 'GET',
      path,
      ...(body !== undefined && { body }),
      setupRequest: (request) => ({
        ...request,
        ...(isRandom && { path: path.replace(randomNumber, String(Math.floor(Math.random() * 1_000_000))) }),
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
