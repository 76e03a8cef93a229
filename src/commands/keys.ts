import { resealKeys } from '../domain/keys.ts';
import { resealCanary } from '../domain/master-secret.ts';
import { resealTwoFactorSecrets } from '../domain/two-factor.ts';
import { withContext } from './with-context.ts';

export async function resealKeysCommand(): Promise<void> {
  await withContext(async (ctx) => {
    const keys = await resealKeys(ctx);
    const secrets = await resealTwoFactorSecrets(ctx);
    await resealCanary(ctx.store, ctx.keyring);
    process.stdout.write(
      `${keys.resealed} keys and ${secrets.resealed} two-factor secrets sealed with the current secret, ` +
        `${keys.unchanged + secrets.unchanged} were already. SECRET_KEY_PREVIOUS is no longer needed.\n`,
    );
  });
}
