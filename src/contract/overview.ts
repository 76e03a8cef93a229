import { type Static, Type } from 'typebox';
import { promptFilters } from './prompts.ts';
import { objectOf, queryOf } from './shapes.ts';

export const OverviewQuery = queryOf(promptFilters);
export type OverviewQuery = Static<typeof OverviewQuery>;

const exampleAuthor = { userId: 'u_mhz1k3p0_0005f0c9a7e21d4b836', name: 'Ada Lovelace' };
const exampleOverview = { prompts: 42, tags: ['mail', 'support'], labels: ['production', 'staging'], authors: [exampleAuthor] };
export const Overview = objectOf('Overview', exampleOverview, {
  prompts: Type.Integer({ minimum: 0, description: 'The number of prompts that match the filters, excluding the bin.' }),
  tags: Type.Array(Type.String(), { description: 'The tags in use, sorted, up to 500.' }),
  labels: Type.Array(Type.String(), { description: 'The labels in use, sorted, up to 500.' }),
  authors: Type.Array(
    Type.Object({ userId: Type.String(), name: Type.String({ description: 'The name of the author when they saved a version.' }) }),
    {
      description: 'The people and programs that have saved versions, including former members, up to 100.',
    },
  ),
});
export type Overview = Static<typeof Overview>;
