import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(js|css|svg)$/;

/** Compresses every asset at build time with the highest level, so that the server does not have to. */
export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir === undefined) throw new Error('The build has no output folder');
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets).filter((file) => compressible.test(file))) {
        const content = readFileSync(join(assets, name));
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        };
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content, { params }));
        writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}
