import { type Static, Type } from 'typebox';
import { maxFavorites } from './limits.ts';
import { objectOf } from './shapes.ts';
import { PromptType } from './versions.ts';

const exampleFavorite = { id: 'p_mhz1k3p0_0005f0c9a7e21d4b836', name: 'support/triage', type: 'text' };
const Favorite = objectOf('Favorite', exampleFavorite, {
  id: Type.String({ description: 'The id of the prompt.' }),
  name: Type.String(),
  type: PromptType,
});

export const FavoriteList = objectOf(
  'FavoriteList',
  { data: [exampleFavorite] },
  { data: Type.Array(Favorite, { description: `Sorted by name, at most ${maxFavorites}. Prompts in the bin are not listed.` }) },
);
export type FavoriteList = Static<typeof FavoriteList>;
