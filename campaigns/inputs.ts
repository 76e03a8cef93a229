import { runTests } from './lib/run-tests.ts';

/** Runs the tests whose inputs are random or repeated, with more of them. */
export async function run(): Promise<void> {
  await runTests([
    'test/http/routes/prompts-names.test.ts',
    'test/http/routes/release-reads.test.ts',
    'test/http/routes/transfer-hostile-imports.test.ts',
    'test/http/routes/webhooks-silent-receivers.test.ts',
    'test/http/middleware/methods.test.ts',
    'test/store/provider-sessions.test.ts',
  ]);
}
