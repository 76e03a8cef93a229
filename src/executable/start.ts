import { createRequire } from 'node:module';
import vm from 'node:vm';
import { readPackageFile } from '../package-files.ts';
import { programVariable } from '../platform/programs.ts';

// The single executable starts in this file, and so do its child processes.
const program = process.env[programVariable];
// The parent passes the name of the program as the first argument, as it would pass a file to Node.
if (program !== undefined) process.argv.splice(2, 1);

const requireFromNode = createRequire(process.execPath);
const modules = new Map<string, { exports: unknown }>();
load(`${program ?? 'command-line'}.js`);

/** Runs a file of the bundle, which is CommonJS. Files are compiled only when they are needed, as in the package. */
function load(file: string): unknown {
  const known = modules.get(file);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(file, module);
  const require = (name: string) => (name.startsWith('./') ? load(name.slice(2)) : requireFromNode(name));
  const code = readPackageFile(`programs/${file}`).toString();
  vm.compileFunction(code, ['require', 'module', 'exports', '__filename'], { filename: file })(
    require,
    module,
    module.exports,
    process.execPath,
  );
  return module.exports;
}
