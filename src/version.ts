import { isExecutable, readPackageFile } from './package-files.ts';
import { isBuilt, root } from './root.ts';

// The service's own package.json always has a version.
export const version = (JSON.parse(readPackageFile('package.json').toString()) as { version: string }).version;

/** Describes the source from which this program was built, and the form in which it was distributed. */
export function describeBuild(): { version: string; commit: string; form: string } {
  return { version, commit: readCommit(), form: findForm() };
}

function readCommit(): string {
  if (!isBuilt) return 'unknown';
  // scripts/build.ts writes this file.
  return (JSON.parse(readPackageFile('dist/build.json').toString()) as { commit: string }).commit;
}

function findForm(): 'source' | 'npm' | 'executable' | 'image' {
  // Only the images set this variable, which is therefore not a setting.
  if (process.env.PROMPTHARBOR_FORM === 'image') return 'image';
  if (isExecutable) return 'executable';
  return root.pathname.includes('/node_modules/') ? 'npm' : 'source';
}
