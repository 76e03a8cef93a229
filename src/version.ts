import { readFileSync } from 'node:fs';

// Beside src/ and dist/ alike.
const packageFile = new URL('../package.json', import.meta.url);

export const version = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
