import { type Static, Type } from 'typebox';
import { objectOf, queryOf } from './shapes.ts';

const exampleWarning = { code: 'unknown_partial', message: 'There is no prompt "shared/tone" with the label "production"' };
export const Warning = objectOf('Warning', exampleWarning, {
  code: Type.String({
    description:
      'What fails when the version is used: `unknown_partial`, `circular_partial`, `deep_partial`, `many_partials`, `long_partials`, ' +
      '`many_variables`, `chat_partial` and `other_syntax_partial` (it cannot be rendered), `empty_message`, `missing_variable` (callers ' +
      'of the label do not send it), `included_label` (another prompt includes what is removed, or that could not be determined). `unused_variable` is only a remark.',
  }),
  message: Type.String(),
  prompt: Type.Optional(
    Type.String({
      description:
        'Of `included_label`: the prompt that includes it. Of `missing_variable`: the prompt whose callers notice it, if it is one that ' +
        'includes this one. Of a batch that was refused: the prompt it is about.',
    }),
  ),
  label: Type.Optional(Type.String({ description: 'The label whose callers notice it, if it is not about all of them.' })),
  variable: Type.Optional(Type.String({ description: 'Of `missing_variable`: its name.' })),
  rendersLast24Hours: Type.Optional(
    Type.Integer({
      description: 'Of `missing_variable`: how many renders of the label in the last 24 hours would have failed, if that is known.',
    }),
  ),
});
export type Warning = Static<typeof Warning>;

/** The query of a request that moves labels. */
export const StrictQuery = queryOf({
  strict: Type.Enum(['true', 'false'], {
    default: 'false',
    description:
      'With `true`, nothing is changed if something would fail at a label: the response is 409 `has_warnings` with the `warnings`.',
  }),
});
export type StrictQuery = Static<typeof StrictQuery>;
