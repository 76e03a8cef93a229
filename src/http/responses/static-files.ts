import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { listPackageFiles, readPackageFile } from '../../package-files.ts';

/** The encodings in the order of preference, with the suffix of a compressed file. */
const suffixes = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof suffixes;
// The keys of `suffixes` are exactly the encodings.
const encodings = Object.keys(suffixes) as Encoding[];

const maxCachedBytes = 16 * 1024 * 1024;

/** Content that is sent often, kept together with its digest and its compressed forms. */
export interface StaticContent {
  content: Buffer;
  digest: string;
  compressed: Partial<Record<Encoding, Buffer>>;
}

/** The files in a folder of the package. Files that the build has also compressed are sent in the form that the caller accepts. */
export function createStaticFiles(folder: string) {
  const names = new Set(listPackageFiles(folder));
  const cache = new LRUCache<string, StaticContent>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ content }) => content.length + 1,
    memoMethod: (name) => {
      const found = encodings.filter((encoding) => names.has(name + suffixes[encoding]));
      const compressed = Object.fromEntries(found.map((encoding) => [encoding, readPackageFile(`${folder}/${name}${suffixes[encoding]}`)]));
      return { ...toStaticContent(readPackageFile(`${folder}/${name}`)), compressed };
    },
  });
  return {
    has: (name: string): boolean => names.has(name) && !encodings.some((encoding) => name.endsWith(suffixes[encoding])),
    get: (name: string): StaticContent => cache.memo(name),
  };
}

export function toStaticContent(content: Buffer): StaticContent {
  return { content, digest: digest(content), compressed: {} };
}

/** Compresses content in the background, once. Until then it is sent uncompressed. */
export function compressLater(file: StaticContent): StaticContent {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: file.content.length };
  const keep = (encoding: Encoding) => (compressed: Buffer) => {
    file.compressed[encoding] = compressed;
  };
  // Compression of a buffer in memory fails only if there is no memory for the result.
  promisify(gzip)(file.content, { level: 9 }).then(keep('gzip'), () => undefined);
  promisify(brotliCompress)(file.content, { params }).then(keep('br'), () => undefined);
  return file;
}

export function sendStatic(
  req: FastifyRequest,
  reply: FastifyReply,
  { content, digest, compressed }: StaticContent,
  caching = 'no-cache',
): FastifyReply {
  const encoding = encodings.find((candidate) => compressed[candidate] && accepts(req, candidate));
  const etag = `"${digest}${encoding ? `-${encoding}` : ''}"`;
  reply.header('etag', etag).header('cache-control', caching).header('vary', 'accept-encoding');
  if (req.headers['if-none-match'] === etag) return reply.status(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send((encoding && compressed[encoding]) ?? content);
}

/** Returns whether the client accepts the encoding. A client refuses an encoding by listing it with the weight 0. */
function accepts({ headers }: FastifyRequest, encoding: Encoding): boolean {
  const entries = headers['accept-encoding']?.toString().toLowerCase().split(',') ?? [];
  return entries.some((entry) => {
    const [name, weight = ''] = entry.split(';').map((part) => part.trim());
    return name === encoding && !/^q=0(?:\.0*)?$/.test(weight);
  });
}

export function digest(content: string | Buffer): string {
  return hash('sha256', content, 'base64url').slice(0, 22);
}

/** The content types of the files that the service sends. */
export const contentTypes: Record<string, string> = {
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};
