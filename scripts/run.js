// Runs a program with the pinned Node after preparing the clone: `node scripts/run.js [--build] <program> [arguments]`. This file is plain
// JavaScript without dependencies, because on a fresh clone the machine's older Node may run it.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { relaySignals, stopWithParent } from './signals.js';

// The process watches its parent before the preparation, which may take minutes.
stopWithParent();
const { nodePath } = await import('./prepare.js');

if (nodePath === process.execPath) {
  // The program runs in this process, because a second process would use memory for as long as the service runs.
  const [program, ...args] = process.argv.slice(2).filter((arg, index) => index > 0 || arg !== '--build');
  process.argv = [nodePath, resolve(program), ...args];
  await import(pathToFileURL(resolve(program)));
} else {
  relaySignals(spawn(nodePath, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' }));
}
