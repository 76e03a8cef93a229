import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder with the bundles of this run. There are none if a test file runs without the global setup. */
const programs = process.env.TEST_PROGRAMS;
const importOf = (name: string) => `--import=${join(import.meta.dirname, 'packages', name)}`;

/** Options of processes that run the service from its source. The bundles and the cache of compiled code make each start faster. */
export const sourceProgram = {
  execArgv: ['--min-semi-space-size=16', importOf('use-bundles.ts'), importOf('use-programs.ts')],
  env: {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: join(programs ?? tmpdir(), 'promptharbor-compile-cache'),
    ...(programs !== undefined && { TEST_PROGRAMS: programs }),
  },
};

/** Returns the file of a program in this folder: its bundle if there is one, and otherwise its source. */
export function fileOf(name: 'stepping-process' | 'webhook-instance'): string {
  return programs === undefined ? join(import.meta.dirname, `${name}.ts`) : join(programs, `${name}.js`);
}
