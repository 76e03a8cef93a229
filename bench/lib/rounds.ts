import { readCpuMs } from './cpu-time.ts';
import { applyLoad, type Load, type Measured } from './load.ts';

export interface Contender {
  name: string;
  load: Omit<Load, 'seconds'>;
  /** The processes whose CPU time is measured. */
  pids: number[];
}

export interface Row {
  part: string;
  work: string;
  contender: string;
  requestsPerSecond: number;
  /** The slowest and fastest round. */
  spread: [number, number];
  p50Ms: number;
  p99Ms: number;
  /** CPU time per request. Undefined if this is not Linux. */
  cpuMicroseconds: number | undefined;
  /** Throughput relative to the reference contender. */
  ratio?: number;
  /** The expected ratio. */
  goal?: string;
}

export interface Pace {
  rounds: number;
  seconds: number;
}

/** Measures the contenders alternately, so that other load on the machine affects all contenders equally. */
export async function compare(part: string, work: string, contenders: Contender[], pace: Pace): Promise<Row[]> {
  const results = new Map(contenders.map(({ name }): [string, (Measured & { cpu: number | undefined })[]] => [name, []]));
  // Warms up, so that the measured code is already compiled. Each load adds to the warm-up, because different loads run different code.
  for (const { load } of contenders) await applyLoad({ ...load, seconds: 3 });
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const { name, load, pids } of contenders) {
      process.stderr.write(`\r\x1b[K${part}: ${work}: round ${round + 1} of ${pace.rounds}: ${name}`);
      const before = totalCpu(pids);
      const measured = await applyLoad({ ...load, seconds: pace.seconds });
      const after = totalCpu(pids);
      if (measured.failures > 0) throw new Error(`${name} failed ${measured.failures} of its requests (${work})`);
      const cpu =
        before === undefined || after === undefined ? undefined : ((after - before) * 1000) / (measured.requestsPerSecond * pace.seconds);
      results.get(name)?.push({ ...measured, cpu });
    }
  }
  process.stderr.write('\r\x1b[K');
  return contenders.map(({ name }) => summarize(part, work, name, results.get(name) ?? []));
}

/** Adds the throughput of each row relative to the throughput of `reference`. */
export function addRatios(reference: string, rows: Row[], goals: Record<string, string> = {}): Row[] {
  const rate = rows.find(({ contender }) => contender === reference)?.requestsPerSecond ?? Number.NaN;
  return rows.map((row) => ({
    ...row,
    ...(row.contender !== reference && { ratio: row.requestsPerSecond / rate }),
    ...(goals[row.contender] !== undefined && { goal: goals[row.contender] }),
  }));
}

/** Returns the median. Values that are not finite are ignored, because wrk sometimes reports a latency of NaN. */
export function median(values: number[]): number {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Returns a percentile of values that are already sorted. */
export function percentile(values: number[], share: number): number {
  return values[Math.floor(values.length * share)] ?? Number.NaN;
}

function summarize(part: string, work: string, contender: string, rounds: (Measured & { cpu: number | undefined })[]): Row {
  const rates = rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  const cpus = rounds.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu]));
  return {
    part,
    work,
    contender,
    requestsPerSecond: median(rates),
    spread: [Math.min(...rates), Math.max(...rates)],
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    cpuMicroseconds: cpus.length > 0 ? median(cpus) : undefined,
  };
}

function totalCpu(pids: number[]): number | undefined {
  const times = pids.map(readCpuMs);
  return times.includes(undefined) || times.length === 0 ? undefined : times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
}
