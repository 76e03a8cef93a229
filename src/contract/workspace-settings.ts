import { type Static, Type } from 'typebox';
import { Label } from './labels.ts';
import { maxAccountNameLength } from './limits.ts';

const protectedLabels = Type.Array(Label, {
  maxItems: 20,
  description: 'The labels that only deployers, admins and the owner may move or remove. None in a new workspace.',
});

const gatedLabels = Type.Array(Label, {
  maxItems: 20,
  description: 'The labels that move only to versions that have passed all current cases of their prompt. None in a new workspace.',
});

export const DailyBudget = Type.Object(
  {
    cost: Type.Union([Type.Number({ minimum: 0, maximum: 1_000_000_000 }), Type.Null()], {
      description: 'US dollars. Counts runs of models that have a price. Null: no limit.',
    }),
    tokens: Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
      description: 'Input and output tokens. Null: no limit.',
    }),
  },
  {
    title: 'DailyBudget',
    additionalProperties: false,
    description: 'What runs and checks may use on a day in UTC. Once it is used up, further ones are refused with 429 `budget_exceeded`.',
    examples: [{ cost: 5, tokens: null }],
  },
);
export type DailyBudget = Static<typeof DailyBudget>;

export const WorkspaceSettings = Type.Object(
  {
    name: Type.String({ description: 'The display name of its owner.' }),
    protectedLabels,
    gatedLabels,
    dailyBudget: DailyBudget,
  },
  {
    title: 'WorkspaceSettings',
    examples: [{ name: 'Ada', protectedLabels: ['production'], gatedLabels: [], dailyBudget: { cost: 5, tokens: null } }],
  },
);
export type WorkspaceSettings = Static<typeof WorkspaceSettings>;

export const WorkspaceChange = Type.Object(
  {
    name: Type.Optional(
      Type.String({ maxLength: maxAccountNameLength, description: 'The display name of its owner, who alone can change it.' }),
    ),
    protectedLabels: Type.Optional(protectedLabels),
    gatedLabels: Type.Optional(gatedLabels),
    dailyBudget: Type.Optional(DailyBudget),
  },
  { title: 'WorkspaceChange', additionalProperties: false, minProperties: 1, examples: [{ protectedLabels: ['production'] }] },
);
export type WorkspaceChange = Static<typeof WorkspaceChange>;
