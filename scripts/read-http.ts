import type { Plugin } from 'rolldown';

const code = `
const http = process.getBuiltinModule('node:http');
export const { METHODS, STATUS_CODES, createServer, request } = http;
export default http;
`;

/**
 * Reads the exports of `node:http` instead of importing them. An import evaluates all exports, and one of them, `WebSocket`, loads Node's
 * implementation of fetch. Loading it takes more CPU time than the start of an empty program.
 */
export function readHttp(): Plugin {
  const id = '\0http';
  return {
    name: 'read-http',
    resolveId: (source, _importer, { kind }) => (source === 'node:http' && kind === 'import-statement' ? id : undefined),
    load: (loaded) => (loaded === id ? code : undefined),
  };
}
