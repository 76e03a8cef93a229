import { type Static, Type } from 'typebox';
import { objectOf, queryOf } from './shapes.ts';

const exampleWarning = { code: 'unknown_partial', message: 'There is no prompt "shared/tone" with the label "production"' };
export const Warning = objectOf('Warning', exampleWarning, {
  code: Type.String({
    description:
      'The problem that occurs when the version is used. `unknown_partial`, `circular_partial`, `deep_partial`, `many_partials`, ' +
      '`long_partials`, `many_variables`, `chat_partial` and `other_syntax_partial`: the version cannot be rendered. `empty_message`: a ' +
      'message is empty. `missing_variable`: callers of the label do not send the variable. `included_label`: another prompt includes ' +
      'the label or prompt that is removed, or the service cannot determine whether one does. `label_not_copied`: the rules of the ' +
      'workspace do not allow the label. `release_not_copied`: the copy has the control of the release for all callers. ' +
      '`candidates_not_copied`: the prompt has candidates, which are not copied. `unused_variable`: a variable is assigned but never ' +
      'used; nothing fails.',
  }),
  message: Type.String(),
  prompt: Type.Optional(
    Type.String({
      description:
        'For `included_label`: the prompt that includes this one. For `missing_variable`: the dependent whose callers are affected, or ' +
        'absent if callers of this prompt itself are affected. In a refused batch: the prompt that the warning concerns.',
    }),
  ),
  label: Type.Optional(Type.String({ description: 'The label whose callers are affected. Absent if all callers are affected.' })),
  variable: Type.Optional(Type.String({ description: 'For `missing_variable`: the name of the variable.' })),
  rendersLast24Hours: Type.Optional(
    Type.Integer({
      description: 'For `missing_variable`: how many renders of the label in the last 24 hours would have failed, if that is known.',
    }),
  ),
});
export type Warning = Static<typeof Warning>;

/** The query of a request that moves labels. */
export const StrictQuery = queryOf({
  strict: Type.Enum(['true', 'false'], {
    default: 'false',
    description: 'With `true`, a request that would cause warnings changes nothing and returns 409 `has_warnings` with the `warnings`.',
  }),
});
export type StrictQuery = Static<typeof StrictQuery>;
