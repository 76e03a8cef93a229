/** What the first proof of an email address does, for somebody who is about to give it. */
export function VerificationEffect() {
  return (
    <p className="rounded-md bg-sunken px-3 py-2 text-ink-2 text-xs">
      Verifying ends all access from before: the API key is replaced, two-factor authentication is turned off, your other sessions end,
      members, service accounts and invitations of your workspace are removed, and its webhooks are disabled. Prompts stay.
    </p>
  );
}
