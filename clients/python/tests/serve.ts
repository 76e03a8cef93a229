/** Starts the service from its source, for the tests of the Python client. */
import { main } from '../../../src/main.ts';

process.exitCode = await main(['serve']);
