import { type Static, Type } from 'typebox';
import { LabelRules, NewLabelRules } from './label-rules.ts';
import { Label } from './labels.ts';
import { maxAccountNameLength } from './limits.ts';
import { changeOf, objectOf, orNull } from './shapes.ts';

const protectedLabels = Type.Array(Label, {
  maxItems: 20,
  description: 'The labels that only deployers, admins and the owner can move or remove. A new workspace has none.',
});

const gatedLabels = Type.Array(Label, {
  maxItems: 20,
  description: 'The labels that move only to versions that have passed all current test cases of their prompt. A new workspace has none.',
});

export const DailyBudget = Type.Object(
  {
    cost: orNull(
      Type.Number({ minimum: 0, maximum: 1_000_000_000 }),
      'The limit in US dollars. Only runs of models with a price are counted. Null means no limit.',
    ),
    tokens: orNull(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      'The limit in input and output tokens combined. Null means no limit.',
    ),
  },
  {
    title: 'DailyBudget',
    additionalProperties: false,
    description:
      'The most that runs and check runs may spend per day (UTC). Once the budget is used up, runs and check runs are refused with 429 ' +
      '`budget_exceeded`.',
    examples: [{ cost: 5, tokens: null }],
  },
);
export type DailyBudget = Static<typeof DailyBudget>;

const exampleWorkspaceSettings = {
  name: 'Ada',
  protectedLabels: ['production'],
  gatedLabels: [],
  labelRules: {},
  dailyBudget: { cost: 5, tokens: null },
};
export const WorkspaceSettings = objectOf('WorkspaceSettings', exampleWorkspaceSettings, {
  name: Type.String({
    description: 'The name of the workspace. For an account’s own workspace, this is also the display name of the account.',
  }),
  protectedLabels,
  gatedLabels,
  labelRules: LabelRules,
  dailyBudget: DailyBudget,
});
export type WorkspaceSettings = Static<typeof WorkspaceSettings>;

const exampleWorkspaceChange = { protectedLabels: ['production'] };
export const WorkspaceChange = changeOf('WorkspaceChange', exampleWorkspaceChange, {
  name: Type.String({ maxLength: maxAccountNameLength, description: 'The name of the workspace. Only the owner can change the name.' }),
  protectedLabels,
  gatedLabels,
  labelRules: NewLabelRules,
  dailyBudget: DailyBudget,
});
export type WorkspaceChange = Static<typeof WorkspaceChange>;
