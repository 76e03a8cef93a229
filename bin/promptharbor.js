#!/usr/bin/env node
// Plain JavaScript, so that an old Node prints the message below instead of a syntax error.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `promptharbor: Node ${process.versions.node} is too old. Use Node 24 or newer. In a clone of the repository, "npm run promptharbor -- …" installs and uses it.\n`,
  );
  process.exit(1);
}
// Makes the next start faster. It has no effect if the folder for the cache is not writable.
module.enableCompileCache?.(fileURLToPath(new URL('../dist/.compiled', import.meta.url)));
const { main } = await import('../dist/main.js');
process.exitCode = await main(process.argv.slice(2));
