import asyncHooks from 'node:async_hooks';

// Imported before a test file. The test runner has Node track every promise, to tell which test one belonged to that is rejected
// without a handler. That is a tenth of the CPU time of the suite; without it, such a rejection still fails the file.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
