/**
 * Gives argon2 half a megabyte instead of 46, in this process only: the tests hash thousands of passwords, and that alone took
 * minutes. Hashes with the real parameters are tested in test/domain/accounts/passwords.test.ts and by almost every test that starts a process.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { argon2 } = crypto;
crypto.argon2 = (algorithm, parameters, callback) => {
  argon2(algorithm, { ...parameters, memory: Math.min(parameters.memory, 512) }, callback);
};
syncBuiltinESMExports();
