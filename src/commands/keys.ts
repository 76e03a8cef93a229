import { resealKeys } from '../domain/keys.ts';
import { resealCanary } from '../domain/master-secret.ts';
import { withContext } from './with-context.ts';

export async function resealKeysCommand(): Promise<void> {
  await withContext(async (ctx) => {
    const { resealed, unchanged } = await resealKeys(ctx);
    await resealCanary(ctx.store, ctx.keyring);
    process.stdout.write(
      `${resealed} keys sealed with the current secret, ${unchanged} were already. SECRET_KEY_PREVIOUS is no longer needed.\n`,
    );
  });
}
