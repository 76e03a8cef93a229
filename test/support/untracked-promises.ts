import asyncHooks from 'node:async_hooks';

// This file is imported before a test file. By default, Node's test runner tracks every promise, so that it can name the test in which a
// promise was rejected without a handler. Tracking takes a tenth of the suite's CPU time. Without tracking, a rejection still fails
// the file.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
