import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './build/compress-assets.ts';
import { styleAfterSplash } from './build/style-after-splash.ts';
import { themeScript } from './build/theme-script.ts';

/** What every page needs. The parts of the query and router libraries that only some pages use are left out. */
const vendor =
  /node_modules\/(?:(?:react|react-dom|scheduler|use-sync-external-store)\/|@tanstack\/(?!.*(?:infinite|[qQ]ueries|[mM]utationO|useMutation|useBlocker)))/;

/** What many pages share, without what the first page does not need. */
const ui =
  /dashboard\/src\/(?:ui\/(?!Dialog|Field|Select|CopyButton|CodeBlock|Segmented|use-hold-page|use-item-focus)|lib\/(?!clipboard|save-file|streams|event-stream|warnings)|shell\/(?:navigation|use-switch-workspace)|prompts\/(?:queries|usage)\.)|lucide-react/;

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  // React has the hook that this is a substitute for.
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
      // The warnings would only say that compressing the assets takes long.
      checks: { bundlerTimings: false },
      output: {
        // Without these, what pages share is cut into dozens of tiny files, which compress badly.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor },
            { name: 'ui', test: ui, minShareCount: 3 },
          ],
        },
      },
    },
  },
  // For `npx vite dashboard` during development: API requests go to a running service.
  server: { proxy: { '/api': { target: process.env.PROMPTHARBOR_URL ?? 'http://127.0.0.1:3000' } } },
});
