/**
 * Returns an error for each empty field. A form with an empty field is not sent, because a sign-in without a password would count as a
 * failed attempt.
 */
export function findMissingFields({ email, password }: { email: string; password: string }): Record<string, string> {
  return {
    ...(email.trim() === '' && { email: 'Enter your email address.' }),
    ...(password === '' && { password: 'Enter a password.' }),
  };
}
