import { type Static, Type } from 'typebox';

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'What went wrong, for people.' }),
    code: Type.Optional(Type.String({ description: 'What went wrong, for programs: stable, snake_case.' })),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'Where in the input, as a JSON pointer.' }),
          message: Type.String(),
          line: Type.Optional(Type.Integer({ description: 'In a template that does not parse.' })),
          column: Type.Optional(Type.Integer()),
        }),
        { description: 'For invalid input: each field that is wrong.' },
      ),
    ),
  },
  {
    title: 'Error',
    examples: [{ error: 'Invalid input', code: 'invalid_input', details: [{ path: '/email', message: 'Not an e-mail address' }] }],
  },
);
export type ErrorBody = Static<typeof ErrorBody>;

export const Unauthorized = Type.Object(
  { error: Type.Literal('Unauthorized') },
  { title: 'Unauthorized', description: 'The key is missing, malformed or not valid (any more).', examples: [{ error: 'Unauthorized' }] },
);
