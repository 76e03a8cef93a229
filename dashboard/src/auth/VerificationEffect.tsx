/** Explains the effect of verifying an email address to a user who does so for the first time. */
export function VerificationEffect() {
  return (
    <p className="rounded-md bg-warn-soft px-3 py-2 text-warn text-xs">
      Verifying your address revokes all earlier access: your API key is replaced, two-factor authentication is turned off, your passkeys
      are removed, sign-in providers are unlinked, your other sessions end, your workspace’s members, service accounts and invitations are
      removed, and its webhooks are disabled. Your prompts are kept.
    </p>
  );
}
