import { Type } from 'typebox';

const textOrNull = Type.Union([Type.String(), Type.Null()]);

export const ActivityQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: Type.Optional(Type.String({ maxLength: 100, description: '`nextCursor` of the page before.' })),
  },
  { additionalProperties: false },
);

export const Activity = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        type: Type.String({ description: 'What happened, such as `sign_in`, `sign_in_failed`, `key_reset` or `password_changed`.' }),
        at: Type.String(),
        address: textOrNull,
        userAgent: textOrNull,
      }),
    ),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Pass it as `cursor` for the next page; null on the last.' }),
  },
  {
    title: 'Activity',
    examples: [
      {
        data: [
          {
            id: 'e_mhz1k3p0_5f0c9a7e21d4b836',
            type: 'sign_in',
            at: '2026-03-01T13:59:58.120Z',
            address: '203.0.113.7',
            userAgent: 'Mozilla/5.0',
          },
        ],
        nextCursor: null,
      },
    ],
  },
);
