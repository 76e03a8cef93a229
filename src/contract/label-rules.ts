import { type Static, Type } from 'typebox';
import { Label } from './labels.ts';
import { maxApprovals } from './limits.ts';

/** The people who may override a rule by giving a reason. */
export const overriders = ['admin', 'owner', 'nobody'] as const;
export type Overrider = (typeof overriders)[number];

const fields = {
  approvals: Type.Integer({
    minimum: 0,
    maximum: maxApprovals,
    description: 'How many people must approve a proposal to move the label. 0: the move needs a proposal, but no approval.',
  }),
  authorMayApprove: Type.Boolean({
    default: false,
    description: 'Whether the approvals of those who wrote the content or opened the proposal count.',
  }),
  keysMayApply: Type.Boolean({ default: false, description: 'Whether an API key may apply an approved proposal.' }),
  override: Type.Enum([...overriders], {
    default: 'admin',
    description:
      'The lowest role that may move the label without a proposal by giving a reason (`override`). Only members with at least this role may change ' +
      'or remove the rule. If it is `nobody`, only the owner may do so.',
  }),
};

export const LabelRule = Type.Object(fields, {
  title: 'LabelRule',
  examples: [{ approvals: 1, authorMayApprove: false, keysMayApply: false, override: 'admin' }],
});
export type LabelRule = Static<typeof LabelRule>;

const { approvals, ...options } = fields;
const NewLabelRule = Type.Object(
  { approvals, ...Type.Partial(Type.Object(options)).properties },
  { title: 'NewLabelRule', additionalProperties: false, examples: [{ approvals: 1 }] },
);
export type NewLabelRule = Static<typeof NewLabelRule>;

const description = 'The labels that require proposals, with their rules. A new workspace has none.';
export const LabelRules = Type.Record(Type.String(), LabelRule, { description });
export const NewLabelRules = Type.Record(Label, NewLabelRule, { maxProperties: 20, additionalProperties: false, description });
/** The rules by label. */
export type LabelRules = Record<string, LabelRule>;
