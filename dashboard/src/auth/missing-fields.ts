/**
 * Returns an error for each empty field. The page does not send a form with an empty field, because a sign-in without a password would
 * count as a failed attempt.
 */
export function findMissingFields({ email, password }: { email: string; password: string }): Record<string, string> {
  return {
    ...(email.trim() === '' && { email: 'Enter your email address.' }),
    ...(password === '' && { password: 'Enter a password.' }),
  };
}
