import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The placeholder for a random number below a million in the path of a load. */
export const randomNumber = '{random}';

/** Identical requests. Only the key, which is picked at random from a file, and random numbers in the path differ. */
export interface Load {
  ports: number[];
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  keysFile?: string;
  connections: number;
  seconds: number;
}

export interface Measured {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

export const generator = findWrk() ? 'wrk' : 'autocannon';

/** Sends the load with one generator process per port and combines the results. */
export async function applyLoad(load: Load): Promise<Measured> {
  const share = Math.max(1, Math.floor(load.connections / load.ports.length));
  const results = await Promise.all(load.ports.map((port) => applyTo(port, { ...load, connections: share })));
  return {
    requestsPerSecond: results.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0),
    p50Ms: Math.max(...results.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
    failures: results.reduce((sum, { failures }) => sum + failures, 0),
  };
}

async function applyTo(port: number, load: Load): Promise<Measured> {
  const env = { ...process.env, LOAD: JSON.stringify({ ...load, url: `http://127.0.0.1:${port}` }) };
  const [program, args] = generator === 'wrk' ? wrkCommand(port, load) : [process.execPath, [`${import.meta.dirname}/autocannon.ts`]];
  const { stdout } = await run(program, args, {
    env: { ...env, ...wrkEnvironment(load) },
    timeout: (load.seconds + 60) * 1000,
    maxBuffer: 1 << 24,
  });
  return generator === 'wrk' ? parseWrk(stdout) : (JSON.parse(stdout) as Measured);
}

function wrkCommand(port: number, { connections, seconds }: Load): [string, string[]] {
  const script = `${import.meta.dirname}/wrk.lua`;
  return ['wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '--latency', '-s', script, `http://127.0.0.1:${port}`]];
}

function wrkEnvironment({ method, path, headers = {}, body, keysFile }: Load): Record<string, string> {
  return {
    WRK_METHOD: method,
    WRK_PATH: path,
    WRK_HEADERS: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    WRK_BODY: body ?? '',
    WRK_KEYS: keysFile ?? '',
  };
}

function parseWrk(output: string): Measured {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  const socketErrors = [...(/Socket errors: (.*)/.exec(output)?.[1]?.matchAll(/\d+/g) ?? [])].reduce(
    (sum, [count]) => sum + Number(count),
    0,
  );
  return {
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: toMs(/50%\s+(\S+)/.exec(output)?.[1]),
    p99Ms: toMs(/99%\s+(\S+)/.exec(output)?.[1]),
    failures: number(/Non-2xx or 3xx responses: (\d+)/) + socketErrors,
  };
}

function toMs(text = '0ms'): number {
  const value = Number.parseFloat(text);
  if (text.endsWith('us')) return value / 1000;
  return text.endsWith('ms') ? value : value * 1000;
}

function findWrk(): boolean {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
    return true;
  } catch (err) {
    // wrk exits with 1 after printing its version. If the program is missing, there is no exit code.
    return err instanceof Error && 'status' in err && err.status === 1;
  }
}
