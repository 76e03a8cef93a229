import { type Static, Type } from 'typebox';
import { objectOf, queryOf } from './shapes.ts';

export const OverviewQuery = queryOf({
  folder: Type.String({ maxLength: 200, description: 'Count only the prompts in this folder and its subfolders.' }),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

const exampleOverview = { prompts: 42, tags: ['mail', 'support'], labels: ['production', 'staging'] };
export const Overview = objectOf('Overview', exampleOverview, {
  prompts: Type.Integer({ minimum: 0, description: 'The number of prompts, excluding the bin.' }),
  tags: Type.Array(Type.String(), { description: 'The tags in use, sorted, up to 500.' }),
  labels: Type.Array(Type.String(), { description: 'The labels in use, sorted, up to 500.' }),
});
export type Overview = Static<typeof Overview>;
