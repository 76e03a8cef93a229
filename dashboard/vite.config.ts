import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './build/compress-assets.ts';
import { styleAfterSplash } from './build/style-after-splash.ts';
import { themeScript } from './build/theme-script.ts';

/** The code that every page needs. */
const vendor =
  /node_modules\/(?:(?:react|react-dom|scheduler|use-sync-external-store)\/|@tanstack\/(?!.*(?:infinite|[qQ]ueries|[mM]utationO|useMutation|useBlocker)))/;

/** The code that many pages share, except code that the first page does not need. */
const ui =
  /dashboard\/src\/(?:ui\/(?!Checkbox|CodeBlock|CopyButton|Dialog|Field|HelpLink|LongText|OnceDialog|Segmented|Select|Switch|Tabs|use-hold-page|use-item-focus|use-return-focus)|lib\/(?!clipboard|event-stream|overridden|prompt-path|read-pages|save-file|streams|tab|use-debounced|warnings)|shell\/(?:navigation|use-switch-workspace))|lucide-react(?!.*\/icons\/)/;

/** The icons of the first page are part of `ui`. The others that pages share are loaded by the pages that have any of them. */
const firstIcons =
  /lucide-react.*\/icons\/(?:book-open|chart-no-axes-column|check|chevrons-up-down|circle-alert|circle-check|circle-x|eye|eye-off|file-text|key-round|loader-circle|lock|log-out|menu|plus|search|settings|split|trash-2|user-round|users|x)\./;

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  // The shim is not needed, because React itself has the hook.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  plugins: [react(), tailwind(), themeScript(), styleAfterSplash(), compressAssets()],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // Says which files a page loads, for the test of their size.
    manifest: true,
    target: 'es2023',
    // The content security policy forbids data: URLs, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: {
      // The warnings would only say that compressing the assets takes a long time.
      checks: { bundlerTimings: false },
      output: {
        // Without these groups, the code that pages share would be split into dozens of tiny files, which compress badly.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor },
            { name: 'ui', test: new RegExp(`${ui.source}|${firstIcons.source}`), minShareCount: 3 },
            {
              name: 'prompts',
              test: /dashboard\/src\/(?:prompts\/(?:filters|queries|usage)|lib\/(?:prompt-path|read-pages))\./,
              minShareCount: 3,
            },
            { name: 'icons', test: /lucide-react/, minShareCount: 3 },
          ],
        },
      },
    },
  },
  // For `npx vite dashboard` during development: API requests go to a running service.
  server: { proxy: { '/api': { target: process.env.PROMPTHARBOR_URL ?? 'http://127.0.0.1:3000' } } },
});
