import { type Static, Type } from 'typebox';
import { objectOf, queryOf } from './shapes.ts';

const exampleWarning = { code: 'unknown_partial', message: 'There is no prompt "shared/tone" with the label "production"' };
export const Warning = objectOf('Warning', exampleWarning, {
  code: Type.String({
    description:
      'What fails when the version is used. `unknown_partial`, `circular_partial`, `deep_partial`, `many_partials`, `long_partials`, ' +
      '`many_variables`, `chat_partial` and `other_syntax_partial`: the version cannot be rendered. `empty_message`: a message is empty. ' +
      '`missing_variable`: callers of the label do not send it. `included_label`: another prompt includes what is removed, or this could ' +
      'not be determined. `label_not_copied`: the rules of the workspace do not allow the label. `unused_variable`: nothing fails.',
  }),
  message: Type.String(),
  prompt: Type.Optional(
    Type.String({
      description:
        'For `included_label`: the including prompt. For `missing_variable`: the dependent whose callers are affected. Absent if these are ' +
        'the callers of this prompt. In a refused batch, `prompt` is the prompt that the warning is about.',
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
    description:
      'With `true`, nothing is changed if something would fail at a label. The response is then 409 `has_warnings` with the `warnings`.',
  }),
});
export type StrictQuery = Static<typeof StrictQuery>;
