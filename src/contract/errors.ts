import { type Static, Type } from 'typebox';
import { NewProposal } from './proposals.ts';
import { objectOf } from './shapes.ts';
import { Warning } from './warnings.ts';

const FieldError = Type.Object({
  path: Type.String({ description: 'A JSON pointer to the field.' }),
  message: Type.String(),
  line: Type.Optional(Type.Integer({ description: 'The line of a syntax error in a template.' })),
  column: Type.Optional(Type.Integer({ description: 'The column of a syntax error in a template.' })),
});
/** An invalid field of the input. */
export type FieldError = Static<typeof FieldError>;

const exampleErrorBody = { error: 'Invalid input', code: 'invalid_input', details: [{ path: '/email', message: 'Not an email address' }] };
export const ErrorBody = objectOf('Error', exampleErrorBody, {
  error: Type.String({ description: 'Human-readable text.' }),
  code: Type.Optional(Type.String({ description: 'Stable machine-readable code in snake_case.' })),
  details: Type.Optional(Type.Array(FieldError, { description: 'The invalid fields.' })),
  proposal: Type.Optional(
    Type.Unsafe<NewProposal>({
      ...NewProposal,
      description: 'For `approval_required`: the body with which you can propose the change with `POST /api/proposals`.',
    }),
  ),
  warnings: Type.Optional(Type.Array(Warning, { description: 'For `has_warnings`: the problems that the request would cause.' })),
});
export type ErrorBody = Static<typeof ErrorBody>;

export const Unauthorized = Type.Object(
  { error: Type.Literal('Unauthorized') },
  { title: 'Unauthorized', description: 'The key is missing, malformed, unknown or revoked.', examples: [{ error: 'Unauthorized' }] },
);
