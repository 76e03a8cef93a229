/**
 * Gives argon2 half a megabyte instead of 46 in this process, because the tests hash thousands of passwords, which would take minutes.
 * test/domain/accounts/passwords.test.ts and test/scripts use the real parameters.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { argon2 } = crypto;
crypto.argon2 = (algorithm, parameters, callback) => {
  argon2(algorithm, { ...parameters, memory: Math.min(parameters.memory, 512) }, callback);
};
syncBuiltinESMExports();
