// This file is separate from the schemas, so that the dashboard can import it without TypeBox.

/** The reasons why a sign-in at a provider can fail, by error code. Each text says what to do. The browser gets only the code. */
export const signInProblems = {
  sign_in_expired: 'This sign-in has expired, was already used, or was started in another tab or browser. Start again.',
  sign_in_not_fresh: 'The provider did not ask you to sign in again. Sign out at the provider, then try again.',
  sign_in_canceled: 'The provider did not sign you in. Try again, or ask your administrator whether you may use this application.',
  provider_unavailable: 'The provider cannot be reached. Try again in a moment.',
  provider_invalid:
    'The provider’s response could not be verified. Try again. If it fails again, tell your administrator: the log has the reason.',
  provider_unknown: 'This service has no such provider. Choose another way to sign in.',
  email_missing: 'The provider did not share your email address. Ask your administrator to share it with this application.',
  email_refused:
    'The provider did not confirm an email address of your organization. Use your work account, or ask your administrator which addresses may sign in.',
  group_required: 'None of your groups may use this service. Ask your administrator for access.',
  groups_missing: 'The provider did not list your groups. You may be in more groups than it lists. Ask your administrator for help.',
  identity_unlinked:
    'An account with this email address already exists. Sign in to it another way, then link the provider under Settings › Security.',
  identity_taken:
    'This identity is already linked to another account, or your account is linked to another identity at this provider. Remove the existing link first, under Settings › Security.',
  session_changed: 'You signed in to another account in the meantime. Sign in again, then link the provider.',
} as const;

export type SignInProblem = keyof typeof signInProblems;
