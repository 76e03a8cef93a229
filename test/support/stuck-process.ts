// This file is imported before a test file. A test that hangs, or that fails before it closes a server, would keep its process alive
// until someone ends the run. The timer does not keep the process alive itself.
const limitMinutes = 10;

// The process that starts the test processes runs no tests itself.
if (process.env.NODE_TEST_CONTEXT) {
  const { afterEach } = await import('node:test');
  const timer = setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`No test has ended for ${limitMinutes} minutes. These resources keep the process alive: ${open}\n`);
    process.exit(1);
  }, limitMinutes * 60_000).unref();
  afterEach(() => timer.refresh());
}
