import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const source = join(import.meta.dirname, '../src/theme-boot.js');

/**
 * Applies the theme before the first paint. This code is a separate blocking script, because the content security policy forbids inline
 * scripts and modules run too late.
 */
export function themeScript(): Plugin {
  let reference = '';
  return {
    name: 'theme-script',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      reference = this.emitFile({ type: 'asset', name: 'theme.js', source: readFileSync(source, 'utf8') });
    },
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('The build has no index.html');
      const tag = `<script src="/dashboard/${this.getFileName(reference)}"></script>`;
      page.source = String(page.source).replace('<title>', `${tag}\n    <title>`);
    },
  };
}
