import { type Static, Type } from 'typebox';

export const OverviewQuery = Type.Object(
  { folder: Type.Optional(Type.String({ maxLength: 200, description: 'Count only the prompts in this folder and its subfolders.' })) },
  { additionalProperties: false },
);
export type OverviewQuery = Static<typeof OverviewQuery>;

export const Overview = Type.Object(
  {
    prompts: Type.Integer({ minimum: 0, description: 'The number of prompts, without those in the bin.' }),
    tags: Type.Array(Type.String(), { description: 'The tags in use, in order, up to 500.' }),
    labels: Type.Array(Type.String(), { description: 'The labels in use, in order, up to 500.' }),
  },
  { title: 'Overview', examples: [{ prompts: 42, tags: ['mail', 'support'], labels: ['production', 'staging'] }] },
);
export type Overview = Static<typeof Overview>;
