import type { Plugin } from 'vite';

/**
 * Puts the style sheet after the splash. In the head, the style sheet would keep the browser from showing anything before it has arrived.
 */
export function styleAfterSplash(): Plugin {
  return {
    name: 'style-after-splash',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('The build has no index.html');
      const [link = ''] = /\s*<link rel="stylesheet"[^>]*>/.exec(String(page.source)) ?? [];
      if (link === '') throw new Error('The page has no style sheet');
      page.source = String(page.source).replace(link, '').replace('</body>', `${link.trim()}\n  </body>`);
    },
  };
}
