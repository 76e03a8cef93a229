import type { Context } from '../../src/domain/context.ts';
import { newId } from '../../src/domain/ids.ts';
import { fold } from '../../src/domain/statistics/folding.ts';

/** Folds all blocks that are written, however new they are. */
export async function foldAll(ctx: Context): Promise<void> {
  await fold(ctx, { holder: newId('f'), ageMs: -60_000 });
}
