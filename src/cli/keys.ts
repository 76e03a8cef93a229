import { resealKeys } from '../domain/accounts/keys.ts';
import { resealTwoFactorSecrets } from '../domain/accounts/two-factor.ts';
import { resealCanary } from '../domain/secrets/master-secret.ts';
import { withContext } from './with-context.ts';

export async function resealKeysCommand(): Promise<void> {
  await withContext(async (ctx) => {
    const keys = await resealKeys(ctx);
    const secrets = await resealTwoFactorSecrets(ctx);
    await resealCanary(ctx.store, ctx.keyring);
    process.stdout.write(
      `Encrypted ${keys.resealed} keys and ${secrets.resealed} two-factor secrets with SECRET_KEY, ` +
        `${keys.unchanged + secrets.unchanged} already were. SECRET_KEY_PREVIOUS is no longer needed.\n`,
    );
  });
}
