import child_process from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import worker_threads from 'node:worker_threads';
import { children, threads } from '../../../src/platform/programs.ts';

// This file is imported before a test file. This file replaces the service's threads and child processes with the bundles that were made at
// the start of the run. Without bundles, finding and compiling their many small files takes two thirds of their startup time.

const { fork } = child_process;
const { Worker } = worker_threads;
const folder = process.env.TEST_PROGRAMS;

if (folder !== undefined && worker_threads.isMainThread) {
  const root = join(import.meta.dirname, '../../..');
  const programs = Object.entries({ ...threads, ...children });
  const bundles = new Map(programs.map(([name, source]) => [join(root, source), join(folder, `${name}.js`)]));

  child_process.fork = ((file: string, ...rest: []) => fork(bundles.get(file) ?? file, ...rest)) as typeof fork;
  worker_threads.Worker = class extends Worker {
    constructor(file: string | URL, options?: worker_threads.WorkerOptions) {
      const bundle = bundles.get(String(file));
      // By default, Node also imports the files of this process's `--import` options in the thread. A bundle needs none of these files.
      super(bundle ?? file, bundle === undefined ? options : { ...options, execArgv: [] });
    }
  };
  syncBuiltinESMExports();
}
