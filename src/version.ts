import { readFileSync } from 'node:fs';
import { root } from './root.ts';

// The service's own package.json always has a version.
export const version = (JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string }).version;
