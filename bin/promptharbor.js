#!/usr/bin/env node
// Plain JavaScript that any Node can parse, so that an old one gets a sentence instead of a syntax error.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `promptharbor: Node ${process.versions.node} is too old. Use "npm start", which brings its own, or Node 24 or newer.\n`,
  );
  process.exit(1);
}
// The next start finds the bundle compiled. Where the folder cannot be written, nothing is lost but that.
module.enableCompileCache?.(fileURLToPath(new URL('../dist/.compiled', import.meta.url)));
const { main } = await import('../dist/main.js');
process.exitCode = await main(process.argv.slice(2));
