import { Type } from 'typebox';

export const PromptList = Type.Object(
  {
    data: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), createdAt: Type.String(), updatedAt: Type.String() }, { title: 'Prompt' }),
    ),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Pass it as `cursor` for the next page; null on the last.' }),
  },
  { title: 'PromptList', examples: [{ data: [], nextCursor: null }] },
);
