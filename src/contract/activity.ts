import { type Static, Type } from 'typebox';
import { listOf } from './lists.ts';

const textOrNull = Type.Union([Type.String(), Type.Null()]);

export const AccountEvent = Type.Object(
  {
    id: Type.String(),
    type: Type.Enum([
      'account_created',
      'sign_in',
      'sign_in_failed',
      'sign_out',
      'sessions_ended',
      'confirmation_failed',
      'attempts_throttled',
      'key_reset',
      'password_changed',
      'password_reset_requested',
      'password_reset',
      'two_factor_started',
      'two_factor_enabled',
      'two_factor_disabled',
      'recovery_code_used',
      'recovery_codes_replaced',
    ]),
    at: Type.String(),
    address: textOrNull,
    userAgent: textOrNull,
  },
  {
    title: 'AccountEvent',
    examples: [
      {
        id: 'e_mhz1k3p0_0005f0c9a7e21d4b836',
        type: 'sign_in',
        at: '2026-03-01T13:59:58.120Z',
        address: '203.0.113.7',
        userAgent: 'Mozilla/5.0',
      },
    ],
  },
);
export type AccountEvent = Static<typeof AccountEvent>;

export const Activity = listOf('Activity', AccountEvent);
